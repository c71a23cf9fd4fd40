// `/join`: makes an account with a passkey.
import { limits } from '@colophon/contract';
import { formFault, codesSection, field, needsScript } from '../components/forms.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import { beforehand, nextPath } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import { showSignedIn } from './signed-in.ts';

/** Where people go who have joined, unless another page sent them: it leads to their first article. */
const ownArticles = '/articles';

export async function showJoin(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, config, scripts } = web;
  const next = nextPath(site, asked);
  if (web.caller !== null) return showSignedIn(web, web.caller, next);
  const closed = config.registration === 'closed';
  const form = html`<form id="join" class="form" method="post">
${field({
  name: 'username',
  label: 'Username',
  hint: `${limits.username_min} to ${limits.username_max} letters from a to z, digits, hyphens and underscores. It is part of the address of all that you write, and cannot be changed.`,
  required: true,
  maxLength: limits.username_max,
  autocomplete: 'username',
  focused: true,
})}
${field({
  name: 'display_name',
  label: 'Name (optional)',
  hint: 'Shown beside your username. You can change it at any time.',
  autocomplete: 'name',
})}
${formFault}
<p><button type="submit" disabled>Join with a passkey</button></p>
<p class="small">A passkey is stored on your device or in your password manager. You confirm with your fingerprint, your face or your PIN. There is no password, and we ask for no e-mail address.</p>
</form>
${codesSection(html`<p><a class="button" href="${site.at(next ?? ownArticles)}">I have kept them. Go on</a></p>`)}`;
  const main = html`<header class="intro">
<h1>Join ${site.name}</h1>
<p>You already have an account? <a href="${site.at(beforehand('/sign-in', next))}">Sign in</a>.</p>
</header>
${closed ? html`<p class="empty">Registration is closed on this service. Ask its operator for an account.</p>` : html`${needsScript('Joining')}${form}`}`;
  const page = {
    title: 'Join',
    description: '',
    canonical: site.url('/join'),
    noindex: false,
    main,
    current: 'join' as const,
    script: scripts.join,
  };
  return pageResponse(web, page, true);
}
