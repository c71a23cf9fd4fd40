// What was typed into a form, for the pages that can show it only as text.
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import type { Refused } from './refused.ts';

const isTyped = (name: string) => name !== 'key' && name !== 'to';

/** The texts of the form, to be copied; nothing if it has none. */
export function typedTexts({ fields }: Refused): Content {
  const typed = Array.from(fields).filter(([name, value]) => isTyped(name) && value.trim() !== '');
  if (typed.length === 0) return null;
  return html`<section aria-labelledby="typed">
<h2 id="typed">What you typed</h2>
${typed.map(([, value]) => html`<pre class="typed" dir="auto">${value}</pre>`)}
</section>`;
}
