// `/sign-in`: with a passkey, or with a recovery code.
import { limits, sessionLimits } from '@colophon/contract';
import { formFault, field, withoutScript } from '../components/forms.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import { beforehand, home, nextPath } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import { recoveredPath } from './account.ts';
import { showSignedIn } from './signed-in.ts';

const codeMax = 64;

export async function showSignIn(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, scripts } = web;
  const next = nextPath(site, asked);
  if (web.caller !== null) return showSignedIn(web, web.caller, next);
  const main = html`<header class="intro">
<h1>Sign in</h1>
<p>You have no account yet? <a href="${site.at(beforehand('/join', next))}">Join</a>.</p>
</header>
${withoutScript('Signing in needs JavaScript, with a passkey and with a recovery code.')}
<form id="passkey" class="form" method="post" data-next="${next ?? home}" data-minutes="${sessionLimits.ceremony_minutes}">
${field({
  name: 'username',
  label: 'Username',
  hint: 'Your browser may offer your passkey here. You need not type anything, unless you have lost it.',
  maxLength: limits.username_max,
  autocomplete: 'username webauthn',
  focused: true,
})}
${formFault}
<p><button type="submit" disabled>Sign in with a passkey</button></p>
</form>
<details class="facts">
<summary>I have lost my passkeys</summary>
<form id="recover" class="form" method="post" data-next="${recoveredPath(next)}">
${field({
  name: 'code',
  label: 'Recovery code',
  hint: 'Type your username above, and one of the ten codes that you got when you joined. It works once.',
  required: true,
  maxLength: codeMax,
  autocomplete: 'off',
})}
${formFault}
<p><button type="submit" disabled>Sign in with the code</button></p>
</form>
</details>
<details class="facts">
<summary>I registered through the API</summary>
<p class="after">Send <code>POST /v1/web-links</code> with your token. The answer is a link that signs you in here once, so that you can add a passkey.</p>
</details>`;
  const page = {
    title: 'Sign in',
    description: '',
    canonical: site.url('/sign-in'),
    noindex: false,
    main,
    current: 'sign-in' as const,
    script: scripts['sign-in'],
  };
  return pageResponse(web, page, true);
}
