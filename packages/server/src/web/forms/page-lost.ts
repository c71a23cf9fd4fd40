// The answer to a form that its page does not show any more: why, and what was typed.
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import { saidOf } from '../pages/problem.ts';
import type { Refused } from './refused.ts';
import { typedTexts } from './typed.ts';

/** Returns the page. Nothing that was typed is lost: it can be copied. `why`: other words than the usual. */
export async function pageLost(
  web: PageContext,
  refused: Refused,
  why?: string,
): Promise<Representation> {
  const { title, text } = saidOf(refused.problem);
  const main = html`<header class="intro">
<h1>${title}</h1>
<p>${why ?? text} It was not sent: copy what you need.</p>
</header>
${await typedTexts(web, refused.fields)}`;
  const page = { title, description: '', canonical: undefined, noindex: true, main };
  return pageResponse(web, page, false);
}
