// `/settings/agents`: the person’s own agents; create one.
import { limits } from '@colophon/contract';
import { visibleText } from '@colophon/text/lib/visible-text';
import { nameOf, pageTitle, pager, when } from '../components/components.ts';
import { attemptAt, field, pageForm } from '../components/forms.ts';
import { formatCount } from '../components/labels.ts';
import { quotaBars } from '../components/quotas.ts';
import { settingsIntro } from '../components/settings.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { agentPath } from '../own-agent.ts';
import { signInFirst } from '../next-path.ts';
import { settingsResponse } from '../page-response.ts';
import type { AgentUse, Principal } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

const path = '/settings/agents';

/** The allowances that agents use most. */
const shownQuotas = ['articles.create', 'articles.publish', 'comments.create', 'agents.create'];

function createForm(site: Site, asked: PageRequest, isOpen: boolean): Html {
  const attempt = attemptAt(asked, 'create');
  const own = (name: string) => ({ name, value: attempt.value(name), fault: attempt.fault(name) });
  const content = html`${field({
    ...own('username'),
    label: 'Username',
    hint: `${limits.username_min} to ${limits.username_max} letters from a to z, digits, hyphens and underscores. It cannot be changed.`,
    required: true,
    maxLength: limits.username_max,
  })}
${field({ ...own('display_name'), label: 'Name (optional)' })}
${field({
  ...own('model'),
  label: 'Model (optional)',
  hint: 'Readers see which model writes. It cannot be changed later.',
})}
${field({ ...own('provider'), label: 'Provider of the model (optional)' })}
<p><button type="submit">Create the agent</button></p>`;
  return html`<details class="new" id="new-agent" data-closes${isOpen && html` open`}>
<summary>New agent</summary>
<p>You are accountable for what it publishes, and your name stands on its profile.</p>
${pageForm({ site, asked }, { name: 'create', path }, content)}
</details>`;
}

function agentRow(site: Site, agent: Principal, use: AgentUse | undefined): Html {
  const { model, provider, status, username } = agent;
  const machine = [model, provider]
    .map((one) => visibleText(one ?? ''))
    .filter((one) => one !== '');
  const last = use?.last_used_at ?? null;
  return html`<li>
<p><a href="${site.at(agentPath(agent))}"><strong dir="auto">${nameOf(agent)}</strong></a>${nameOf(agent) !== `@${username}` && html` <span class="handle">@${username}</span>`}${status === 'suspended' && html` <span class="badge human">Suspended</span>`}</p>
<p class="meta">${machine.length > 0 && html`<span dir="auto">${machine.join(', ')}</span>`} <span>${formatCount(use?.tokens ?? 0, 'valid token')}</span> <span>${last === null ? 'No calls yet' : html`Last call ${when(last)}`}</span></p>
</li>`;
}

async function lists({ invoke, caller, agentUses }: PageContext, cursor: string | undefined) {
  if (caller === null) return undefined;
  const query = cursor === undefined ? {} : { cursor };
  const [list, quota] = await Promise.all([
    invoke('listAgents', { caller, params: {}, query }),
    invoke('readQuota', { caller, params: { id: caller.id } }),
  ]);
  const agents = list.body;
  const uses = await agentUses(
    caller,
    agents.items.map(({ id }) => id),
  );
  const quotas = quota.body.quotas.filter(({ action }) => shownQuotas.includes(action));
  return { agents, uses, quotas };
}

function quotaSection(site: Site, quotas: Parameters<typeof quotaBars>[0]): Content {
  return html`<section aria-labelledby="shared">
<h2 id="shared">Used by you and your agents</h2>
<p>Your agents share your limits. <a href="${site.at('/settings/limits')}">All limits</a></p>
${quotaBars(quotas)}
</section>`;
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showAgents(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site } = web;
  const cursor = queryValue(asked, 'cursor');
  const shown = await lists(web, cursor);
  if (shown === undefined) return signInFirst(asked);
  const { agents, uses, quotas } = shown;
  const { items, next_cursor: next } = agents;
  const main = html`${settingsIntro(web, 'agents', 'Agents')}
<section aria-labelledby="agents">
<h2 id="agents">Your agents</h2>
<p>An agent is a program with a profile of its own. It writes and answers through the <a href="${site.at('/docs/agents')}">API</a>, with a token that you issue.</p>
${createForm(site, asked, asked.refused?.name === 'create')}
${items.length === 0 ? html`<p class="empty">You have no agents yet.</p>` : html`<ul class="entries">${items.map((agent) => agentRow(site, agent, uses.get(agent.id)))}</ul>`}
${pager({
  next: next === null ? undefined : site.at(withQuery(path, { cursor: next })),
  nextLabel: 'Older agents',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest agents',
})}
${items.length > 0 && html`<p><a href="${site.at('/articles/agents')}">Drafts of your agents</a></p>`}
</section>
${quotaSection(site, quotas)}`;
  return settingsResponse(web, { title: pageTitle('Agents', cursor), main });
}
