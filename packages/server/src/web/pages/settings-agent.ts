// `/settings/agents/{username}`: an agent of the caller: its profile, tokens and keys, and how it is stopped.
import type { Caller } from '#http';
import { nameOf, pageTitle, pager } from '../components/components.ts';
import { pageForm } from '../components/forms.ts';
import { keySection } from '../components/keys.ts';
import { doneNote, settingsIntro } from '../components/settings.ts';
import { issuedToken, issueForm, tokenList } from '../components/tokens.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { agentPath, ownAgent } from '../own-agent.ts';
import { signInFirst } from '../next-path.ts';
import { settingsResponse } from '../page-response.ts';
import type { KeyList, Principal, TokenList } from '../page-services.ts';
import { withQuery } from '../site.ts';
import { profileForm, profilePreview } from './settings.ts';

interface Shown {
  readonly caller: Caller;
  readonly owner: Principal;
  readonly agent: Principal;
  readonly tokens: TokenList;
  readonly keys: KeyList;
}

const done = {
  created: 'The agent is created. Issue a token for it, and give the token to its program.',
  profile: 'The profile is saved.',
  revoked: 'The token is revoked.',
  'key-revoked': 'The key is revoked.',
  stopped: 'The agent is stopped: all its tokens are revoked.',
} as const;

function tokenSection({ site }: PageContext, asked: PageRequest, shown: Shown): Content {
  const { agent, tokens, caller } = shown;
  const path = agentPath(agent);
  const holder = { id: agent.id, kind: 'agent', path, scopes: caller.scopes } as const;
  const place = { site, asked };
  const { next_cursor: next } = tokens;
  return html`<section aria-labelledby="tokens">
<h2 id="tokens">Tokens</h2>
<p>With <code>articles:write</code> alone the agent drafts and you decide what is published: <a href="${site.at('/articles/agents')}">drafts of your agents</a>.</p>
${issueForm(place, holder)}
${tokenList(place, tokens, holder)}
${pager({
  next: next === null ? undefined : site.at(withQuery(path, { cursor: next })),
  nextLabel: 'Older tokens',
  first: queryValue(asked, 'cursor') === undefined ? undefined : site.at(path),
  firstLabel: 'Newest tokens',
})}
</section>`;
}

function stopSection({ site }: PageContext, asked: PageRequest, agent: Principal): Html {
  const own = { name: 'stop', path: agentPath(agent), kind: 'act' };
  return html`<section aria-labelledby="stop">
<h2 id="stop">Stop the agent</h2>
<p>Revokes all its tokens at once. What it published stays. It can do nothing until you issue a new token for it.</p>
${pageForm({ site, asked }, own, html`<p><button type="submit" class="quiet">Revoke all its tokens</button></p>`)}
</section>`;
}

async function load(web: PageContext, asked: PageRequest): Promise<Shown | undefined> {
  const { invoke, caller } = web;
  if (caller === null) return undefined;
  const agent = await ownAgent(web, asked, caller);
  const cursor = queryValue(asked, 'cursor');
  const query = { principal_id: agent.id, ...(cursor === undefined ? {} : { cursor }) };
  const [tokens, keys, owner] = await Promise.all([
    invoke('listTokens', { caller, params: {}, query }),
    invoke('listKeys', { caller, params: { id: agent.id } }),
    invoke('readPrincipal', { caller, params: { id: caller.id } }),
  ]);
  return { caller, owner: owner.body, agent, tokens: tokens.body, keys: keys.body };
}

/** Shows the page to the owner of the agent; for everybody else there is none. */
export async function showAgent(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  const { username = '' } = asked.params;
  const shown = await load(web, asked);
  if (shown === undefined) return signInFirst(asked);
  const { agent, keys, owner } = shown;
  const path = agentPath(agent);
  if (username !== agent.username) return { elsewhere: path };
  const main = html`${settingsIntro(web, 'agents', nameOf(agent))}
<p class="small"><a href="${site.at('/settings/agents')}">All agents</a></p>
${doneNote(asked, done)}
${asked.issued !== undefined && issuedToken(asked.issued)}
${tokenSection(web, asked, shown)}
${keySection({ site, asked }, agent, { keys, path })}
<section aria-labelledby="profile">
<h2 id="profile">Profile</h2>
${profileForm(site, asked, { path, principal: agent })}
</section>
${profilePreview(site, agent, owner)}
${stopSection(web, asked, agent)}`;
  const title = pageTitle(nameOf(agent), queryValue(asked, 'cursor'));
  return settingsResponse(web, { title, main });
}
