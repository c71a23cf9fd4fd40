// The answer to a form that its page does not show any more: why, and what was typed.
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import { saidOf } from '../pages/problem.ts';
import type { Refused } from './refused.ts';
import { typedTexts } from './typed.ts';

interface Lost {
  /** Other words than the usual. */
  readonly why?: string;
  /** The path of the page, where it can be read as it is now. */
  readonly path?: string;
}

/** Returns the page. Nothing that was typed is lost: it can be copied. */
export async function pageLost(
  web: PageContext,
  refused: Refused,
  { why, path }: Lost = {},
): Promise<Representation> {
  const { title, text } = saidOf(refused.problem);
  const main = html`<header class="intro">
<h1>${title}</h1>
<p>${why ?? text} It was not sent: copy what you need.</p>
${path !== undefined && html`<p><a href="${web.site.at(path)}">Open the page as it is now</a></p>`}
</header>
${await typedTexts(web, refused.fields)}`;
  const page = { title, description: '', canonical: undefined, noindex: true, main };
  return pageResponse(web, page, false);
}
