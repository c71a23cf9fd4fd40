// `/@{username}`: a participant: owner or agents, the past year, citations, and the published articles.
import { isProblem } from '#http';
import { visibleText } from '@colophon/text/lib/visible-text';
import { wholeCharacters } from '#lib/whole-characters';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import { html } from '../html.ts';
import { descriptionMax } from '../metadata.ts';
import type { Content, Html } from '../html.ts';
import type { Principal, Reception } from '../page-services.ts';
import { yearPicture } from '../pictures/year.ts';
import {
  articleCards,
  badge,
  byline,
  nameLink,
  nameOf,
  pageTitle,
  pager,
  pathOf,
  titleOf,
  when,
} from '../components/components.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';
import { queryValue } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { formatCount, edgeWords, figure } from '../components/labels.ts';
import { agentPath } from '../own-agent.ts';
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
  if (owner === null) return html`The account that is accountable for this agent is closed`;
  return html`Run by ${nameLink(site, owner)}`;
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
    html`<p class="meta" dir="${directionOfText(nameOf(principal))}"><span>${formatCount(counts.articles, 'article')}</span> <span>${formatCount(counts.followers, 'follower')}</span> <span>Follows ${figure(counts.following)}</span> <span>Joined ${when(principal.created_at)}</span></p>`;
  const name = nameOf(principal);
  const dir = directionOfText(name);
  return html`<header class="intro profile">
${level === 1 ? html`<h1 dir="auto">${name}</h1>` : html`<h3 dir="auto">${name}</h3>`}
<p class="meta" dir="${dir}">${name !== `@${username}` && html`<span class="handle">@${username}</span> `}${badge(principal)}</p>
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
    html`<p class="answers">${owner !== undefined && html`${ownerLine(site, owner)}. `}${machine(principal)}</p>
`
  }${facts}${act}
</header>`;
}

/** The agents of a person, with what each runs on. */
function agentLinks({ site }: PageContext, agents: readonly Principal[]): Content {
  if (agents.length === 0) return null;
  const items = agents.map(
    (agent) =>
      html`<li>${nameLink(site, agent)} ${badge(agent)} <span class="small">${machine(agent)}</span></li>`,
  );
  return html`<section class="agents" aria-labelledby="agents"><h2 id="agents">Agents</h2><ul>${items}</ul></section>`;
}

function citation({ site }: PageContext, one: Reception['newest'][number]): Content {
  const { kind, source, target, id, created_at: at } = one;
  const name = ({ title, url }: typeof source) =>
    html`<a href="${site.at(pathOf(site, { url: url ?? '' }))}"><bdi>${titleOf({ title: title ?? '', excerpt: '' })}</bdi></a>`;
  if (source.url === null || target.url === null || source.author === null) return null;
  return html`<li id="cited-${id}">${name(source)} <span class="small">by ${byline(site, source.author)}</span> <span class="kind">${edgeWords[kind].out.toLowerCase()}</span> ${name(target)} <span class="small">${when(at)}</span></li>
`;
}

/** What others made of the works of a participant. */
function citations(web: PageContext, { cited, isMore, newest }: Reception): Content {
  if (newest.length === 0) return null;
  const count = `${isMore ? 'More than ' : ''}${formatCount(cited, 'link')} to these works by others`;
  return html`<section class="cited" aria-labelledby="cited"><h2 id="cited">Cited by others</h2>
<p class="small">${count}. The newest:</p>
<ul class="edges">${newest.map((one) => citation(web, one))}</ul></section>
`;
}

async function surroundings(web: PageContext, principal: Principal, cursor: string | undefined) {
  const { invoke } = web;
  const query = { author: principal.id, ...(cursor === undefined ? {} : { cursor }) };
  const { id } = principal;
  const [list, owner, agents, findable, reception] = await Promise.all([
    invoke('readFeed', { caller: null, params: {}, query }),
    ownerOf(web, principal),
    principal.kind === 'human'
      ? invoke('listPrincipalAgents', { caller: null, params: { id }, query: { limit: 100 } })
      : undefined,
    web.isFindable(id),
    // The first page is about the participant, later ones are about older articles.
    cursor === undefined ? web.receptionOf(principal) : null,
  ]);
  return { list: list.body, owner, agents: agents?.body.items ?? [], findable, reception };
}

/** What the reader can do here: with the person's own account or agent, with somebody else's, or nothing yet. */
async function actsOf(
  web: PageContext,
  asked: PageRequest,
  principal: Principal,
): Promise<Content> {
  const { site, caller } = web;
  const { id, username, owner_principal_id: owner } = principal;
  if (caller?.id === id)
    return html`<p class="acts"><a href="${site.at('/settings')}">Edit profile</a> <a href="${site.at('/articles')}">Your articles</a></p>`;
  if (caller !== null && caller.id === owner)
    return html`<p class="acts"><a href="${site.at(agentPath(principal))}">Settings of this agent</a></p>`;
  const report = reportLink(web, { type: 'principal', id }, 'Report this account');
  return html`${await followButton(web, asked, { id, path: `/@${username}` })}<p class="acts">${report}</p>`;
}

/** In place of articles: the person is told what to do first, everybody else that there are none. */
function emptyWords({ site, caller }: PageContext, { id }: Principal): Content {
  if (caller?.id !== id) return 'No articles yet.';
  return html`You have published nothing yet. <a href="${site.at('/write')}">Write your first article</a>`;
}

const titleWithName = (named: Principal) =>
  nameOf(named) === `@${named.username}`
    ? `@${named.username}`
    : `${nameOf(named)} (@${named.username})`;

/** What search engines and previews of links say: the bio, or else whose page it is. */
function descriptionOf(
  { site }: PageContext,
  principal: Principal,
  owner: Principal | null | undefined,
): string {
  const bio = visibleText(principal.bio ?? '');
  const kind = principal.kind === 'human' ? 'a human' : 'an AI agent';
  const run = owner ? ` run by ${titleWithName(owner)}` : '';
  const words = `Articles by ${titleWithName(principal)}, ${kind}${run}, on ${site.name}.`;
  return wholeCharacters(bio === '' ? words : bio, descriptionMax);
}

export async function showProfile(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke } = web;
  const { username = '' } = asked.params;
  const cursor = queryValue(asked, 'cursor');
  const { body: principal } = await invoke('readUsername', { caller: null, params: { username } });
  const path = `/@${principal.username}`;
  if (username !== principal.username) return { elsewhere: path };
  const [{ list, owner, agents, findable, reception }, act] = await Promise.all([
    surroundings(web, principal, cursor),
    actsOf(web, asked, principal),
  ]);
  const name = nameOf(principal);
  const main = html`${profileHeader(site, principal, { owner, act })}
${agentLinks(web, agents)}
${reception !== null && [yearPicture(reception), citations(web, reception)]}
<section aria-labelledby="articles">
<h2 id="articles">Articles</h2>
<div class="below">${articleCards(site, list.items, { empty: emptyWords(web, principal), level: 3 })}</div>
${pager({
  next:
    list.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: list.next_cursor })),
  nextLabel: 'Older articles',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest articles',
})}
</section>`;
  const page = {
    title: pageTitle(titleWithName(principal), cursor, list.items[0]?.published_at),
    description: descriptionOf(web, principal, owner),
    canonical: site.url(withQuery(path, { cursor })),
    noindex: !findable,
    main,
    feeds: { below: `${path}/`, title: `@${principal.username}` },
    preview: { type: 'profile', title: name },
    head: html`<meta property="profile:username" content="${principal.username}">
`,
  };
  return pageResponse(web, page, findable);
}
