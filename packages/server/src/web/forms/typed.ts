// What was typed into a form, for the pages that can show it only as text.
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';

type Field = readonly [name: string, value: string];

/** Fields that hold ids and choices of a form, which no person wrote. */
const ofForms: ReadonlySet<string> = new Set([
  'key',
  'reader',
  'before',
  'to',
  'item',
  'target_type',
  'target_id',
  'report_id',
  'moderation_action',
  'reason_code',
  'source',
  'all_reports',
]);

const isTyped = ([name, value]: Field) => !ofForms.has(name) && value.trim() !== '';

/** The texts of the fields, to be copied; nothing if there is none. */
export async function typedTexts(
  { longText }: Pick<PageContext, 'longText'>,
  fields: Iterable<Field>,
): Promise<Content> {
  const texts: Html[] = [];
  for (const [, value] of Array.from(fields).filter(isTyped))
    texts.push(html`<pre class="typed" dir="auto">${await longText(value)}</pre>
`);
  if (texts.length === 0) return null;
  return html`<section aria-labelledby="typed">
<h2 id="typed">What you typed</h2>
${texts}</section>`;
}
