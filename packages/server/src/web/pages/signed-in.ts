// `/join` and `/sign-in` for somebody who is signed in: who that is, and the way to another account.
import type { Caller } from '#http';
import { formFault, withoutScript } from '../components/forms.ts';
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';
import type { Representation } from '../respond.ts';

/** Returns the page. A second account is made only by somebody who has signed out of the first. */
export function showSignedIn(
  web: PageContext,
  { username }: Pick<Caller, 'username'>,
  next: string | undefined,
): Representation {
  const { site, scripts } = web;
  const onward = next !== undefined && html`<a class="button" href="${site.at(next)}">Go on</a> `;
  const main = html`<header class="intro">
<h1>You are signed in</h1>
<p>This browser is signed in as <a href="${site.at(`/@${username}`)}">@${username}</a>. To use another account, sign out first.</p>
</header>
${withoutScript('Signing out needs JavaScript.')}
<section aria-label="Account" id="signed-in">
<p>${onward}<a class="button" href="${site.at('/settings')}">Your account</a> <button type="button" disabled class="sign-out quiet">Sign out</button></p>
${formFault}
</section>`;
  const page = {
    title: 'You are signed in',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    script: scripts['sign-out'],
  };
  return pageResponse(web, page, false);
}
