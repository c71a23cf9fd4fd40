// The page after a form that can be sent again as it is: it shows what was typed, and sends it again.
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';
import { isOfAnother } from './of-another.ts';
import type { Refused } from './refused.ts';
import { typedTexts } from './typed.ts';

interface Said {
  readonly title: string;
  readonly text: Html;
}

function explain(
  { site, caller }: PageContext,
  { fields, problem: { problem, message } }: Refused,
): Said {
  if (problem === 'unauthenticated' && caller !== null && isOfAnother(fields, caller))
    return {
      title: 'Another account is signed in',
      text: html`This form is from a page of another account, and this browser is now signed in as @${caller.username}. Nothing was changed. To send it, <a href="${site.at('/sign-in')}" target="_blank" rel="noopener">sign in with the other account in a new tab</a>, then come back here.`,
    };
  if (problem === 'unauthenticated')
    return {
      title: 'Sign in again',
      text: html`Your session has ended. Nothing is lost: <a href="${site.at('/sign-in')}" target="_blank" rel="noopener">sign in in a new tab</a>, then come back here and send it again.`,
    };
  if (problem === 'forbidden')
    return { title: 'Your account is suspended', text: html`${message}` };
  if (problem === 'payload-too-large') return { title: 'This is too long', text: html`${message}` };
  const title = problem === 'rate-limited' ? 'Too many requests' : 'Temporarily unavailable';
  return { title, text: html`Your form was not sent yet. ${message}` };
}

/** Beyond this length, or with a line break, a text is one that somebody wrote. */
const shortMax = 200;
/** Characters. The pages of this service have no field with a longer name. */
const nameMax = 100;

const isShort = (value: string) => value.length <= shortMax && !value.includes('\n');

/** A long text is on the page once: it can be copied from its field, changed, and sent again. */
async function fieldOf({ longText }: PageContext, name: string, value: string): Promise<Content> {
  if (isShort(value))
    return html`<input type="hidden" name="${name}" value="${value}">
`;
  // The line break after <textarea> is not part of its text.
  return html`<p><textarea name="${name}" rows="12" dir="auto" autocomplete="off" aria-label="What you typed">
${await longText(value)}</textarea></p>
`;
}

/**
 * Returns the page. Nothing that was typed is lost: it can be copied, and sent again with the same key. It
 * reads nothing, because the reader may be beyond a limit, or the database away.
 */
export async function sendAgainLater(
  web: PageContext,
  { request }: PageRequest,
  refused: Refused,
): Promise<Representation> {
  const sent = Array.from(refused.fields).filter(([name]) => name.length <= nameMax);
  const fields: Content[] = [];
  for (const [name, value] of sent) fields.push(await fieldOf(web, name, value));
  const { title, text } = explain(web, refused);
  const main = html`<header class="intro">
<h1>${title}</h1>
<p role="alert">${text}</p>
</header>
<form class="form" method="post" action="${web.site.at(request.url)}">
${fields}<p><button type="submit">Send again</button></p>
</form>
${await typedTexts(
  web,
  sent.filter(([, value]) => isShort(value)),
)}`;
  const page = { title, description: '', canonical: undefined, noindex: true, main };
  return pageResponse(web, page, false);
}
