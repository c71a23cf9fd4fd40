// `/-/link`: a one-time link. Opening the page uses nothing up: programs that preview links open it too.
import { formFault, withoutScript } from '../components/forms.ts';
import type { PageAnswer, PageContext } from '../context.ts';
import { html } from '../html.ts';
import { pageResponse } from '../page-response.ts';

export async function showLink(web: PageContext): Promise<PageAnswer> {
  const { site, scripts, caller } = web;
  const main = html`<header class="intro">
<h1>Sign in with your link</h1>
<p>The link works once, for ten minutes. Then add a passkey: with it you sign in from now on.</p>
</header>
${withoutScript('Signing in with a link needs JavaScript.')}
<form id="link" class="form" method="post"${caller !== null && html` data-signed-in="${caller.username}"`}>
${caller !== null && html`<p class="note">You are signed in as <strong>@${caller.username}</strong> now. A link of another account signs you out of it.</p>`}
<p id="whose" role="status"></p>
${formFault}
<p><button type="submit" disabled>Sign in</button></p>
${caller !== null && html`<p><a href="${site.at('/settings/security')}">Stay signed in as @${caller.username}</a></p>`}
</form>`;
  const page = {
    title: 'Sign in with your link',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
    script: scripts.link,
  };
  return pageResponse(web, page, false);
}
