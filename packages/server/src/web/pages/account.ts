// `/settings/security`: the person’s own passkeys, recovery codes and sessions.
import type { AnswerOf, Ceremonies } from '@colophon/contract';
import { when } from '../components/components.ts';
import { formFault, codesSection, withoutScript } from '../components/forms.ts';
import { formatCount } from '../components/labels.ts';
import { settingsIntro } from '../components/settings.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { nextPath, signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

type Passkeys = Extract<AnswerOf<Ceremonies['listPasskeys']>, { status: 200 }>['body'];
type Sessions = Extract<AnswerOf<Ceremonies['listSessions']>, { status: 200 }>['body'];

function passkeyRow(passkey: Passkeys['items'][number], isOnly: boolean): Html {
  const { id, name, created_at, last_used_at } = passkey;
  const stored = passkey.backed_up ? 'Synced between your devices' : 'On one device only';
  return html`<li data-row>
<form class="rename-passkey inline" data-id="${id}" method="post">
<label class="hidden" for="name-${id}">Name of the passkey</label>
<input id="name-${id}" name="name" value="${name}" required dir="auto" autocomplete="off">
<button type="submit" disabled class="quiet">Rename</button>
${formFault}
</form>
<p class="meta"><span>${stored}</span> <span>Added ${when(created_at)}</span> ${last_used_at !== null && html`<span>Last used ${when(last_used_at)}</span>`}</p>
<p>${isOnly ? html`<span class="small">Your only passkey. Add another one before you remove it.</span>` : html`<button type="button" disabled class="remove-passkey quiet" data-id="${id}" data-name="${name}">Remove<span class="hidden"> “${name}”</span></button>`}</p>
</li>`;
}

function passkeys(site: Site, { items, recovery_codes_left: left }: Passkeys): Html {
  const list: Content =
    items.length === 0
      ? html`<p class="note warning">You have no passkey yet. Add one now: without it you cannot sign in again.</p>`
      : html`<ul class="rows">${items.map((one) => passkeyRow(one, items.length === 1))}</ul>`;
  return html`<section aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
${list}
<div data-row><p><button type="button" disabled class="add-passkey">Add a passkey</button></p>${formFault}</div>
</section>
<section aria-labelledby="recovery">
<h2 id="recovery">Recovery codes</h2>
<p>${left === 0 ? 'You have no recovery codes left.' : `You have ${formatCount(left, 'unused code')}.`} New codes replace all old ones.</p>
<div><p><button type="button" disabled class="renew-codes quiet">Make new codes</button></p>${formFault}</div>
${codesSection(html`<p><a class="button" href="${site.at('/settings/security')}">I have kept them</a></p>`)}
</section>`;
}

/**
 * Where a recovery code leads, whatever page asked for it: the code is used up, and a person without passkeys needs a
 * new one. `next` is where to go on.
 */
export function recoveredPath(next: string | undefined): string {
  return `${withQuery('/settings/security', { done: 'recovered', next })}#recovered`;
}

/** Says what a recovery code has cost, and what to do about it. */
function recoveredNote(
  { site }: PageContext,
  asked: PageRequest,
  { recovery_codes_left: left }: Passkeys,
): Content {
  if (queryValue(asked, 'done') !== 'recovered') return null;
  const next = nextPath(site, asked);
  const codes =
    left === 0 ? 'You have no codes left.' : `You have ${formatCount(left, 'code')} left.`;
  return html`<section id="recovered" class="codes" aria-labelledby="recovered-title" tabindex="-1">
<h2 id="recovered-title">You signed in with a recovery code</h2>
<p>The code is used up. ${codes} ${left === 0 ? 'Add a passkey and make new codes' : 'Add a passkey'} before you need the next one.</p>
<div data-row><p><button type="button" disabled class="add-passkey">Add a passkey now</button> <a class="button quiet" href="#recovery">Make new codes</a>${next !== undefined && html` <a class="button quiet" href="${site.at(next)}">Go on</a>`}</p>${formFault}</div>
</section>`;
}

function sessions({ items }: Sessions): Html {
  const rows = items.map(
    ({ id, device, network, current, created_at, last_used_at }) => html`<li data-row>
<p><strong>${device}</strong>${current && html` <span class="badge human">This browser</span>`}</p>
<p class="meta"><span>Signed in ${when(created_at)}</span> <span>Last used ${when(last_used_at)}${network !== null && html` from the network ${network}`}</span></p>
${!current && html`<p><button type="button" disabled class="end-session quiet" data-id="${id}">Sign out<span class="hidden"> ${device}</span></button></p>${formFault}`}
</li>`,
  );
  return html`<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<p>A network is the first part of an internet address. Devices in one place often share it. Sign out of what you do not know.</p>
<ul class="rows">${rows}</ul>
<div><p><button type="button" disabled class="sign-out">Sign out here</button> <button type="button" disabled class="sign-out-everywhere quiet">Sign out everywhere</button></p>${formFault}</div>
</section>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showAccount(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, scripts, caller } = web;
  if (caller === null) return signInFirst(asked);
  const [own, open] = await Promise.all([
    invoke('listPasskeys', { caller, params: {} }),
    invoke('listSessions', { caller, params: {} }),
  ]);
  const main = html`${settingsIntro(web, 'security', 'Passkeys and sessions')}
<p>You are signed in as <a href="${site.at(`/@${caller.username}`)}">@${caller.username}</a>.</p>
${recoveredNote(web, asked, own.body)}
${withoutScript('Changing passkeys, codes and sessions needs JavaScript, and so does signing out.')}
${passkeys(site, own.body)}
${sessions(open.body)}`;
  const page = {
    title: 'Passkeys and sessions',
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
    script: scripts.account,
  };
  return pageResponse(web, page, false);
}

/** The page was there before there were other settings. */
export async function moveAccount(): Promise<PageAnswer> {
  return { elsewhere: '/settings/security' };
}
