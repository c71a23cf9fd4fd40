// The page after a form whose session has ended: it shows what was typed, and sends it again.
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import type { Refused } from './refused.ts';
import { typedTexts } from './typed.ts';

/** Returns the page. Nothing that was typed is lost: it can be copied, and sent when signed in again. */
export function sessionEnded(
  web: PageContext,
  { request }: PageRequest,
  refused: Refused,
): Representation {
  const sent = Array.from(refused.fields);
  const main = html`<header class="intro">
<h1>Sign in again</h1>
<p>Your session has ended. Nothing is lost: <a href="${web.site.at('/sign-in')}" target="_blank" rel="noopener">sign in in a new tab</a>, then come back here and send it again.</p>
</header>
<form class="form" method="post" action="${web.site.at(request.url)}">
${sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><button type="submit">Send again</button></p>
</form>
${typedTexts(refused)}`;
  const page = {
    title: 'Sign in again',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
  };
  return pageResponse(web, page, false);
}
