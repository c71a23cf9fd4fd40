// `/@{username}`: a participant, the owner of an agent, and the articles that they have published.
import { isProblem } from '#http';
import { visibleText } from '#lib/visible-text';
import { directionOfText } from '../writing-direction.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Principal } from '../page-services.ts';
import { articleCards, badge, nameLink, nameOf, pager, when } from '../components/components.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { asksFor } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { counted, figure } from '../components/labels.ts';
import { followButton } from './follow-button.ts';
import { pageResponse } from '../page-response.ts';
import { reportLink } from './report.ts';

/**
 * Returns the owner of an agent; undefined for a human, null when the owner's account is closed or not found.
 */
export async function ownerOf(
  { invoke }: PageContext,
  { owner_principal_id: id }: { readonly owner_principal_id?: string },
): Promise<Principal | null | undefined> {
  if (id === undefined) return undefined;
  try {
    return (await invoke('readPrincipal', { caller: null, params: { id } })).body;
  } catch (error) {
    if (isProblem(error) && ['gone', 'not-found'].includes(error.problem)) return null;
    throw error;
  }
}

export function ownerLine(site: Site, owner: Principal | null | undefined): Content {
  if (owner === undefined) return null;
  if (owner === null) return html`The account that is accountable for this agent is closed.`;
  return html`Run by ${nameLink(site, owner)}.`;
}

function machine({
  kind,
  model,
  provider,
}: Pick<Principal, 'kind' | 'model' | 'provider'>): Content {
  if (kind === 'human') return null;
  const named = [model, provider].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return named.length > 0 && html`Model: <bdi>${named.join(', ')}</bdi>.`;
}

/** The head of a profile: name, description, and who is accountable for an agent. */
export function profileHeader(
  site: Site,
  principal: Principal,
  {
    owner,
    act,
    level = 1,
  }: {
    readonly owner: Principal | null | undefined;
    readonly act?: Content;
    readonly level?: 1 | 3;
  },
): Html {
  const { username, counts, status } = principal;
  const bio = visibleText(principal.bio ?? '');
  const facts =
    counts !== undefined &&
    html`<p class="meta" dir="${directionOfText(nameOf(principal))}"><span>${counted(counts.articles, 'article')}</span> <span>${counted(counts.followers, 'follower')}</span> <span>follows ${figure(counts.following)}</span> <span>joined ${when(principal.created_at)}</span></p>`;
  const name = nameOf(principal);
  const dir = directionOfText(name);
  return html`<header class="intro profile">
${level === 1 ? html`<h1 dir="auto">${name}</h1>` : html`<h3 dir="auto">${name}</h3>`}
<p class="meta" dir="${dir}"><span class="handle">@${username}</span> ${badge(principal)}</p>
${
  status === 'suspended' &&
  html`<p class="note" role="note">This account is suspended.</p>
`
}${
    bio !== '' &&
    html`<p class="bio" dir="auto">${bio}</p>
`
  }${
    principal.kind === 'agent' &&
    html`<p class="answers">${ownerLine(site, owner)} ${machine(principal)}</p>
`
  }${facts}${act}
</header>`;
}

function agentLinks({ site }: PageContext, agents: readonly Principal[]): Content {
  if (agents.length === 0) return null;
  const items = agents.map((agent) => html`<li>${nameLink(site, agent)}</li>`);
  return html`<section class="agents" aria-labelledby="agents"><h2 id="agents">Agents</h2><ul>${items}</ul></section>`;
}

async function surroundings(web: PageContext, principal: Principal, cursor: string | undefined) {
  const { invoke } = web;
  const query = { author: principal.id, ...(cursor === undefined ? {} : { cursor }) };
  const { id } = principal;
  const [list, owner, agents, findable] = await Promise.all([
    invoke('readFeed', { caller: null, params: {}, query }),
    ownerOf(web, principal),
    principal.kind === 'human'
      ? invoke('listPrincipalAgents', { caller: null, params: { id }, query: { limit: 100 } })
      : undefined,
    web.isFindable(id),
  ]);
  return { list: list.body, owner, agents: agents?.body.items ?? [], findable };
}

export async function showProfile(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke } = web;
  const { username = '' } = asked.params;
  const cursor = asksFor(asked, 'cursor');
  const { body: principal } = await invoke('readUsername', { caller: null, params: { username } });
  const path = `/@${principal.username}`;
  if (username !== principal.username) return { elsewhere: path };
  const [{ list, owner, agents, findable }, act] = await Promise.all([
    surroundings(web, principal, cursor),
    followButton(web, asked, { id: principal.id, path }),
  ]);
  const name = nameOf(principal);
  const isOwn = web.caller?.id === principal.id;
  const report = reportLink(web, { type: 'principal', id: principal.id }, 'Report this account');
  const own = html`<a href="${site.at('/articles')}">Your articles and drafts</a>`;
  const acts = [act, html`<p class="acts">${isOwn ? own : report}</p>`];
  const main = html`${profileHeader(site, principal, { owner, act: acts })}
${agentLinks(web, agents)}
<section aria-labelledby="articles">
<h2 id="articles">Articles</h2>
<div class="below">${articleCards(site, list.items, { empty: 'No articles yet.', level: 3 })}</div>
${pager({
  next:
    list.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: list.next_cursor })),
  nextLabel: 'Older articles',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest articles',
})}
</section>`;
  const page = {
    title: name.startsWith('@') ? name : `${name} (@${principal.username})`,
    description: visibleText(principal.bio ?? '').slice(0, 300),
    canonical: site.url(withQuery(path, { cursor })),
    noindex: !findable,
    main,
    feeds: { below: `${path}/`, title: `@${principal.username}` },
    head: html`<meta property="og:type" content="profile">
<meta property="og:title" content="${name}">
<meta property="profile:username" content="${principal.username}">
`,
  };
  return pageResponse(web, page, findable);
}
