// `/moderation/accounts`: trust levels and admin scopes, for administrators.
import { isAdminScope, scopes, scopeWords, trustLevelMax } from '@colophon/contract';
import { accountFacts, accountName, deskNote, deskResponse } from '../components/desk.ts';
import { recordList } from '../components/desk-history.ts';
import {
  attemptAt,
  choice,
  faultBelow,
  field,
  focusOfFirst,
  needsScript,
  pageForm,
} from '../components/forms.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import type { Accounts, Desk, DeskAccount } from '../desk-services.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { openDesk } from './desk-entry.ts';

const path = '/moderation/accounts';
const adminScopes = scopes.filter(isAdminScope);

interface Place {
  readonly site: Site;
  readonly asked: PageRequest;
}

function finder({ site }: Place, username: string | undefined, isUnknown: boolean): Html {
  return html`<form class="filters" method="get" action="${site.at(path)}" data-live>
<div><label for="username">Username</label><input id="username" name="username" maxlength="40" required autocomplete="off" autocapitalize="none" spellcheck="false" value="${username ?? ''}" aria-describedby="username-fault">
<p class="fault" id="username-fault" aria-live="polite">${isUnknown && 'No account has this name.'}</p></div>
<button class="quiet">Find</button>
</form>`;
}

const usernameField = ({ username }: DeskAccount) =>
  html`<input type="hidden" name="username" value="${username}">`;

function trustForm(place: Place, account: DeskAccount): Html {
  const attempt = attemptAt(place.asked, 'trust');
  const levels = Object.fromEntries(
    Array.from({ length: trustLevelMax + 1 }, (_, level) => [`${level}`, `Level ${level}`]),
  );
  return html`<section aria-labelledby="trust">
<h2 id="trust">Trust level ${account.trust_level}</h2>
<p>The level determines the limits of the account and its agents.</p>
${pageForm(
  place,
  {
    name: 'trust',
    path: withQuery(path, { username: account.username }),
    item: account.id,
    confirms: `set the trust level of @${account.username} to {level}`,
    confirmsField: 'level',
  },
  html`${usernameField(account)}
${choice({
  name: 'level',
  label: 'New level',
  options: levels,
  value: attempt.value('level', `${account.trust_level}`),
  fault: attempt.fault('level'),
})}
<p><button type="submit">Set the level</button></p>`,
)}
</section>`;
}

function grantForm(place: Place, account: DeskAccount, { caller }: Desk): Content {
  if (account.kind === 'agent') return html`<p>An agent cannot hold admin scopes.</p>`;
  const attempt = attemptAt(place.asked, 'grant');
  const [chosen, fault] = [attempt.all('scopes'), attempt.fault('scopes')];
  const ticks = adminScopes
    .filter((scope) => caller.scopes.includes(scope))
    .map(
      (scope, at) =>
        html`<label class="tick"><input type="checkbox" name="scopes" value="${scope}"${chosen.includes(scope) && html` checked`}${focusOfFirst(at, fault)}><span><code>${scope}</code> ${scopeWords[scope]}</span></label>`,
    );
  return pageForm(
    place,
    {
      name: 'grant',
      path: withQuery(path, { username: account.username }),
      item: account.id,
      confirms: `add admin scopes to the token {token_id} of @${account.username}`,
      confirmsField: 'token_id',
    },
    html`${usernameField(account)}
<p>The person issues a token for this, keeps its value secret, and gives you its id, which stands below its name on the page of tokens. A scope on a token of theirs opens the desk in the browser too.</p>
${field({
  name: 'token_id',
  label: 'Id of the token',
  required: true,
  maxLength: 40,
  value: attempt.value('token_id'),
  fault: attempt.fault('token_id'),
})}
<fieldset class="input" aria-describedby="scopes-fault"><legend>Scopes</legend>${ticks}${faultBelow('scopes', fault)}</fieldset>
<p><button type="submit">Add the scopes</button></p>`,
  );
}

function scopesSection(
  place: Place,
  account: DeskAccount,
  desk: Desk,
  held: readonly string[],
): Html {
  return html`<section aria-labelledby="scopes-title">
<h2 id="scopes-title">Admin scopes</h2>
<p>${held.length === 0 ? 'The account holds none.' : html`The account holds ${held.map((scope) => html`<code>${scope}</code> `)}`}</p>
${needsScript('If you confirmed more than ten minutes ago, a change')}
${
  held.length > 0 &&
  pageForm(
    place,
    {
      name: 'revoke',
      path: withQuery(path, { username: account.username }),
      kind: 'act',
      item: account.id,
      confirms: `take all admin scopes away from @${account.username}`,
    },
    html`${usernameField(account)}<button type="submit" class="quiet">Take all admin scopes away</button>`,
  )
}
${grantForm(place, account, desk)}
</section>`;
}

async function readAccount(desk: Desk, username: string) {
  const id = await desk.reads.accountNamed(username.replace(/^@/, ''));
  if (id === undefined) return undefined;
  const [accounts, record, held] = await Promise.all([
    desk.reads.accounts([id]),
    desk.reads.record(id),
    desk.reads.adminScopesOf(id),
  ]);
  const account = accounts.get(id);
  return account && { account, accounts, record, held };
}

interface Found {
  readonly account: DeskAccount;
  readonly accounts: Accounts;
  readonly record: Awaited<ReturnType<Desk['reads']['record']>>;
  readonly held: readonly string[];
}

function accountPage(place: Place, desk: Desk, { account, accounts, record, held }: Found): Html {
  return html`<section aria-labelledby="account">
<h2 id="account">${accountName(accounts, account.id)}</h2>
${accountFacts(place.site, account, accounts)}
${recordList(place.site, record)}
</section>
${trustForm(place, account)}
${scopesSection(place, account, desk, held)}`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showAccounts(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked, 'admin:manage');
  if ('answer' in entry) return entry.answer;
  const { desk } = entry;
  const place = { site: web.site, asked };
  const username = queryValue(asked, 'username');
  const found = username === undefined ? undefined : await readAccount(desk, username);
  const main = html`${deskNote(asked)}
${finder(place, username, username !== undefined && found === undefined)}
${found !== undefined && accountPage(place, desk, found)}`;
  return deskResponse(web, { desk, asked }, { tab: 'accounts', title: 'Accounts', main });
}
