// The way into the moderation desk: who may enter, and the passkey check before it opens.
import { sessionLimits } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { problem } from '#http';
import { enterForm } from '../components/desk.ts';
import { needsScript } from '../components/forms.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Desk } from '../desk-services.ts';
import { html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';

/** Asks for the passkey: the session may be an open browser, or a stolen cookie. */
function confirmPage(web: PageContext, asked: PageRequest): Representation {
  const main = html`<header class="intro">
<h1>Moderation</h1>
<p>The desk opens after you confirm with your passkey. It then stays open in this browser for ${sessionLimits.desk_check_hours} hours.</p>
</header>
${needsScript('Opening the desk')}
${enterForm(web, asked, 'Open the desk')}`;
  const page = { title: 'Moderation', description: '', canonical: undefined, noindex: true, main };
  return pageResponse(web, page, false);
}

/**
 * Opens the desk for a page that needs a scope, or returns the page to show in its place.
 * @throws not-found: for everybody who does not hold the scope
 */
export async function openDesk(
  web: PageContext,
  asked: PageRequest,
  scope: Scope = 'admin:moderate',
): Promise<{ readonly desk: Desk } | { readonly answer: PageAnswer }> {
  const { caller } = web;
  if (caller === null) return { answer: signInFirst(asked) };
  const desk = await web.desk.enter(caller);
  if (desk === 'unchecked') return { answer: confirmPage(web, asked) };
  if (desk === 'no-scope' || !desk.caller.scopes.includes(scope))
    throw problem('not-found', 'This page is for moderators.');
  return { desk };
}
