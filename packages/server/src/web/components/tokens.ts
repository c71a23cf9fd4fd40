// Tokens on pages: the form that issues one, the new token, the list.
import { isForbiddenToAgents, scopes, scopeWords } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { visibleText } from '@colophon/text/lib/visible-text';
import type { PageRequest } from '../context.ts';
import type { Issued } from '../forms/issued.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { TokenList } from '../page-services.ts';
import type { Site } from '../site.ts';
import { when } from './components.ts';
import {
  attemptAt,
  choice,
  faultBelow,
  field,
  focusOfFirst,
  needsScript,
  pageForm,
} from './forms.ts';
import type { Attempt } from './forms.ts';
import { dayOf } from './labels.ts';

interface Named {
  readonly id: string;
  readonly username: string;
}

/** Whose tokens they are, and the path of the page that shows them. */
export interface TokenHolder {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly path: string;
  /** The scopes of the caller. */
  readonly scopes: readonly Scope[];
  /** The caller’s agents, where a token for one of them can be chosen. */
  readonly agents?: readonly Named[];
}

const groups: Readonly<Record<string, readonly string[]>> = {
  Articles: ['articles', 'media', 'edges'],
  'Comments and follows': ['comments', 'follows', 'events'],
  'Account and agents': ['profile', 'agents'],
  Administration: ['admin'],
};

function scopeTicks(holder: TokenHolder, attempt: Attempt): Html {
  const offered = scopes.filter(
    (scope) =>
      holder.scopes.includes(scope) && !(holder.kind === 'agent' && isForbiddenToAgents(scope)),
  );
  const chosen = attempt.all('scopes');
  const fault = attempt.fault('scopes');
  const tick = (
    scope: Scope,
  ) => html`<label class="tick"><input type="checkbox" name="scopes" value="${scope}"${chosen.includes(scope) && html` checked`}${focusOfFirst(offered.indexOf(scope), fault)}><span><code>${scope}</code> <span>${scopeWords[scope]}</span></span></label>
`;
  const parts = Object.entries(groups).map(([title, areas]) => {
    const ticks = offered.filter((scope) => areas.includes(scope.split(':')[0] ?? '')).map(tick);
    return (
      ticks.length > 0 &&
      html`<p class="small">${title}</p>
${ticks}`
    );
  });
  return html`<fieldset class="input" aria-describedby="scopes-hint scopes-fault">
<legend>What it may do</legend>
<p class="small" id="scopes-hint">Tick only what the program needs. Without any scope a token reads what is public.</p>
${parts}
${faultBelow('scopes', fault)}
</fieldset>`;
}

const dayMs = 86_400_000;
const usualDays = 30;

/** Returns the day this many days from now, in UTC: `2026-01-31`. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

/** Days are named by their date, so that the same form sent later asks for the same end. */
function endTicks(attempt: Attempt): Html {
  const usual = [7, usualDays, 90].map((days) => ({ days, date: dayIn(days) }));
  const typed = attempt.value('expires', dayIn(usualDays));
  const isKnown = ['date', 'never', ...usual.map(({ date }) => date)].includes(typed);
  const chosen = isKnown ? typed : 'date';
  const [fault, faultOfDay] = [attempt.fault('expires'), attempt.fault('until')];
  const radio = (value: string, words: Content, at = -1) =>
    html`<label class="tick"><input type="radio" name="expires" value="${value}"${value === chosen && html` checked`}${focusOfFirst(at, fault)}><span>${words}</span></label>
`;
  return html`<fieldset class="input ends" aria-describedby="expires-fault">
<legend>When it ends</legend>
${usual.map(({ days, date }, at) => radio(date, html`In ${days} days, on ${dayOf(date)}`, at))}${radio('date', 'On a date')}<div class="until"><label for="until">Last day</label><input id="until" name="until" type="date" min="${dayIn(0)}" value="${attempt.value('until', isKnown ? '' : typed)}" aria-describedby="until-fault"${faultOfDay !== undefined && html` aria-invalid="true" autofocus`}>${faultBelow('until', faultOfDay)}</div>
${radio('never', 'Never')}<p class="note warning never">A token without an end works until you revoke it, for everybody who finds it. Choose an end unless you check the token yourself.</p>
${faultBelow('expires', fault)}
</fieldset>`;
}

/** The choice between the caller and the caller’s agents, who each act in their own name. */
function holderChoice({ id, agents = [] }: TokenHolder, attempt: Attempt): Content {
  if (agents.length === 0) return null;
  const options = {
    [id]: 'You',
    ...Object.fromEntries(agents.map((one) => [one.id, `@${one.username}`])),
  };
  return html`${choice({
    name: 'principal_id',
    label: 'Who will use it?',
    options,
    value: attempt.value('principal_id', id),
    fault: attempt.fault('principal_id'),
  })}
<p class="small">A token of an agent acts in the name of the agent. It is listed on the page of the agent, and it cannot manage agents.</p>
`;
}

/** The form that issues a token, closed until it is wanted. */
export function issueForm(
  { site, asked }: { readonly site: Site; readonly asked: PageRequest },
  holder: TokenHolder,
): Html {
  const attempt = attemptAt(asked, 'issue');
  const content = html`${holderChoice(holder, attempt)}${field({
    name: 'name',
    label: 'What is it for?',
    hint: 'A name that tells you later which program has it.',
    required: true,
    value: attempt.value('name'),
    fault: attempt.fault('name'),
  })}
${scopeTicks(holder, attempt)}
${endTicks(attempt)}
${needsScript('If you signed in more than ten minutes ago, issuing a token')}
<p><button type="submit">Issue the token</button></p>
<p class="small">You confirm with your passkey, unless you did so in the last ten minutes.</p>`;
  return html`<details class="new" id="new-token" data-closes${asked.refused?.name === 'issue' && html` open`}>
<summary>New token</summary>
${pageForm({ site, asked }, { name: 'issue', path: holder.path, confirms: 'issue the token “{name}”', confirmsField: 'name' }, content)}
</details>`;
}

/** The new token, which is in this answer only. */
export function issuedToken({ name, secret, hasNoScopes }: Issued): Html {
  if (secret === null)
    return html`<section id="issued" class="codes" aria-labelledby="issued-title" tabindex="-1">
<h2 id="issued-title">This token was issued before</h2>
<p>The form was sent twice, and one token was issued: “<bdi>${visibleText(name)}</bdi>”. Its value was shown once, in the first answer. If you did not keep it, revoke the token below and issue another one.</p>
</section>`;
  return html`<section id="issued" class="codes" aria-labelledby="issued-title" tabindex="-1">
<h2 id="issued-title">Your new token</h2>
<p><label for="secret">Copy “<bdi>${visibleText(name)}</bdi>” now. <strong>It is shown only this once.</strong></label></p>
<textarea id="secret" class="issued-secret" rows="3" readonly autofocus autocomplete="off" spellcheck="false">${secret}</textarea>
${hasNoScopes && html`<p class="note warning">It has no scopes: it reads what is public and does nothing else. If the program needs more, revoke it below and issue another one.</p>`}
<p><button type="button" class="copy quiet" data-copy="secret" hidden>Copy</button></p>
</section>`;
}

type Token = TokenList['items'][number];

function stateOf({ revoked_at, expires_at }: Token): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

const states = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

function endOf({ expires_at, revoked_at }: Token): Html {
  if (revoked_at !== null) return html`Revoked ${when(revoked_at)}`;
  if (expires_at === null) return html`No end`;
  return html`${Date.parse(expires_at) <= Date.now() ? 'Ended' : 'Ends'} ${when(expires_at)}`;
}

function revokeForm(
  place: { readonly site: Site; readonly asked: PageRequest },
  { id, name }: Token,
  path: string,
): Html {
  const { refused } = place.asked;
  const isOpen = refused?.name === 'revoke' && refused.fields.get('item') === id;
  return html`<details id="revoke-${id}"${isOpen && html` open`}>
<summary>Revoke<span class="hidden"> ${visibleText(name)}</span></summary>
${pageForm(
  place,
  { name: 'revoke', path, kind: 'act', item: id },
  html`<p>Programs that use it are refused at once. This cannot be undone.</p>
<label class="tick"><input type="checkbox" name="with_issued" value="true"><span>Revoke every token that was issued with it, too. Do this if somebody else may have it.</span></label>
<p><button type="submit">Revoke it now</button></p>`,
)}
</details>`;
}

function tokenRow(
  place: { readonly site: Site; readonly asked: PageRequest },
  token: Token,
  path: string,
): Html {
  const state = stateOf(token);
  const used = token.last_used_at;
  return html`<li class="token ${state}">
<p><strong dir="auto">${visibleText(token.name) || 'Without a visible name'}</strong> <span class="badge human">${states[state]}</span></p>
<p class="meta"><code>${token.prefix}…</code> <span>Id <code>${token.id}</code></span> <span>Issued ${when(token.created_at)}</span> <span>${used === null ? 'Never used' : html`Last used ${when(used)}`}</span> <span>${endOf(token)}</span></p>
<p class="scopes">${token.scopes.length === 0 ? 'No scopes' : token.scopes.map((scope) => html`<code>${scope}</code> `)}</p>
${state === 'active' && revokeForm(place, token, path)}
</li>`;
}

/** The tokens of a holder, newest first. */
export function tokenList(
  place: { readonly site: Site; readonly asked: PageRequest },
  { items }: TokenList,
  holder: TokenHolder,
): Content {
  if (items.length === 0)
    return html`<p class="empty">There are no tokens yet. A program needs one to act through the API.</p>`;
  return html`<ul class="entries">${items.map((token) => tokenRow(place, token, holder.path))}</ul>`;
}
