// The page after a form that can be sent again as it is: it shows what was typed, and sends it again.
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import type { Refused } from './refused.ts';
import { typedTexts } from './typed.ts';

interface Said {
  readonly title: string;
  readonly text: Html;
}

function explain({ site }: PageContext, { problem: { problem, message } }: Refused): Said {
  if (problem === 'unauthenticated')
    return {
      title: 'Sign in again',
      text: html`Your session has ended. Nothing is lost: <a href="${site.at('/sign-in')}" target="_blank" rel="noopener">sign in in a new tab</a>, then come back here and send it again.`,
    };
  const title = problem === 'rate-limited' ? 'Too many requests' : 'Temporarily unavailable';
  return { title, text: html`Your form was not sent yet. ${message}` };
}

/**
 * Returns the page. Nothing that was typed is lost: it can be copied, and sent again with the same key. It
 * reads nothing, because the reader may be beyond a limit, or the database away.
 */
export function sendAgainLater(
  web: PageContext,
  { request }: PageRequest,
  refused: Refused,
): Representation {
  const sent = Array.from(refused.fields);
  const { title, text } = explain(web, refused);
  const main = html`<header class="intro">
<h1>${title}</h1>
<p role="alert">${text}</p>
</header>
<form class="form" method="post" action="${web.site.at(request.url)}">
${sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><button type="submit">Send again</button></p>
</form>
${typedTexts(refused)}`;
  const page = { title, description: '', canonical: undefined, noindex: true, main };
  return pageResponse(web, page, false);
}
