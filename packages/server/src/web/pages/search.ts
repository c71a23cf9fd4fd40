// `/search?q=`: the search form and its results, with the matches marked.
import { limits } from '@colophon/contract';
import type { AnswerOf, Operations } from '@colophon/contract';
import { isProblem } from '#http';
import type { Fault } from '#http';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import {
  badge,
  byline,
  foundCard,
  nameLink,
  pageTitle,
  pager,
  titleOf,
  when,
} from '../components/components.ts';
import { withQuery, withoutEmpty } from '../site.ts';
import type { Site } from '../site.ts';
import { queryValue } from '../context.ts';
import type { PageRequest, PageAnswer, PageContext } from '../context.ts';
import { formatCount, figure } from '../components/labels.ts';
import { pageResponse } from '../page-response.ts';
import { filterFields, filtersOf, leftOut, parametersOf } from './search-filters.ts';
import type { Filters } from './search-filters.ts';

type Found = AnswerOf<Operations['search']>['body'];
type Hit = Found['items'][number];

const types = { article: 'Articles', comment: 'Comments', principal: 'People and agents' } as const;
type SearchType = keyof typeof types;

/** Shown where articles were searched. */
const peopleMax = 5;

interface Input {
  readonly q: string | undefined;
  readonly type: SearchType;
  readonly cursor: string | undefined;
  /** Results on the pages before, as their links counted them. */
  readonly before: number;
  readonly filters: Filters;
}

/**
 * Returns the text with its matches marked. Matches are ranges of code points, in order; overlaps are shown
 * once.
 */
export function markMatches({ text, matches }: Hit['snippet']): Content {
  const points = [...text];
  let at = 0;
  const parts = matches.flatMap(([start, end]): Content[] => {
    if (end <= at) return [];
    const from = Math.max(at, start);
    const before = points.slice(at, from).join('');
    at = end;
    return [before, html`<mark>${points.slice(from, end).join('')}</mark>`];
  });
  return [...parts, points.slice(at).join('')];
}

/** The titles of the articles that found comments are on, by id. */
type Titles = ReadonlyMap<string, string>;

/** Returns the titles of those articles that are listed now, in one read. */
async function titlesOf({ articles }: PageContext, list: Found | string): Promise<Titles> {
  if (typeof list === 'string') return new Map();
  const ids = list.items.flatMap(({ comment }) => comment?.article_id ?? []);
  if (ids.length === 0) return new Map();
  const listed = await articles.listed([...new Set(ids)]);
  return new Map(listed.map((article) => [article.id, titleOf(article)]));
}

/** A person or an agent. A name that was found is in the title already. */
function principalHit(site: Site, principal: NonNullable<Hit['principal']>, hit: Hit): Html {
  const { text } = hit.snippet;
  const isName = [principal.display_name, principal.username].includes(text);
  return html`<li><article class="card" dir="${directionOfText(text)}">
<h2 class="title">${nameLink(site, principal)} ${badge(principal)}</h2>
${!isName && html`<p class="excerpt" dir="${directionOfText(text)}">${markMatches(hit.snippet)}</p>`}
</article></li>`;
}

function hitOf({ site }: PageContext, hit: Hit, titles: Titles): Content {
  const snippet = markMatches(hit.snippet);
  if (hit.article !== undefined)
    return foundCard(site, hit.article, { text: hit.snippet.text, marked: snippet });
  if (hit.principal !== undefined) return principalHit(site, hit.principal, hit);
  const { comment } = hit;
  if (comment === undefined) return null;
  const title = titles.get(comment.article_id);
  // The page of an article is found by its id alone.
  const place = site.at(`/comments/${comment.id}`);
  return html`<li><article class="card" dir="${directionOfText(hit.snippet.text)}">
<h2 class="title"><a href="${place}">${title === undefined ? 'A comment' : html`Comment on <bdi>${title}</bdi>`}</a></h2>
<p class="meta">${byline(site, comment.author)} <span>${when(comment.created_at)}</span></p>
<p class="excerpt">${snippet}</p>
</article></li>`;
}

function form({ site }: PageContext, { q, type, filters }: Input): Html {
  const options = Object.entries(types).map(
    ([value, label]) =>
      html`<label><input type="radio" name="type" value="${value}"${value === type && html` checked`}> ${label}</label>`,
  );
  return html`<form class="search" role="search" action="${site.at('/search')}" method="get">
<label for="q">Search words</label>
<div class="field"><input id="q" type="search" name="q" value="${q}" maxlength="${limits.search_query_max}" dir="auto" autocomplete="off"><button type="submit">Search</button></div>
<fieldset><legend>Search in</legend>${options}</fieldset>
${filterFields(filters)}
</form>`;
}

/** Says what to change about a search that is refused: the words of the operation are for programs. */
function refusedWords({ q = '', cursor, filters }: Input, refused: readonly Fault[]): string {
  const { search_query_max: most } = limits;
  if ([...q].length > most)
    return `These are more than ${most} characters. Search for fewer words.`;
  if (refused.some(({ pointer }) => pointer === '/author'))
    return 'The author must be a username, such as ada, or an id.';
  if (cursor !== undefined) return 'This page of results cannot be shown. Search again.';
  return Object.keys(filters).length > 0
    ? 'A filter has a value that cannot be searched for. Change it, or leave it empty.'
    : 'These words cannot be searched for. Try other words.';
}

async function findResults({ invoke }: PageContext, input: Input): Promise<Found | string> {
  const { q, type, cursor, filters } = input;
  if (q === undefined)
    return 'Enter search words. Put a phrase in “quotation marks”, “-” before a word that must be missing, and OR between words of which one is enough.';
  const query = {
    q,
    type,
    ...parametersOf(type, filters),
    ...(cursor === undefined ? {} : { cursor }),
  };
  try {
    return (await invoke('search', { caller: null, params: {}, query })).body;
  } catch (error) {
    // An invalid query is shown as a message on the page, not as an error page.
    if (isProblem(error) && error.problem === 'invalid-request')
      return refusedWords(input, error.members.errors ?? []);
    throw error;
  }
}

/** Returns the kind of the account that wrote a result, or that it is. */
function kindOf({ article, comment, principal }: Hit): 'human' | 'agent' | undefined {
  return (article?.author ?? comment?.author ?? principal)?.kind;
}

/** Says how many results of the page are by whom: one word where all are alike. */
function byKind(items: Found['items']): string {
  const agents = items.filter((hit) => kindOf(hit) === 'agent').length;
  const humans = items.length - agents;
  if (agents === 0) return items.length === 1 ? 'by a human' : 'all by humans';
  if (humans === 0) return items.length === 1 ? 'by an agent' : 'all by agents';
  return `${humans} by ${humans === 1 ? 'a human' : 'humans'} and ${agents} by ${agents === 1 ? 'an agent' : 'agents'}`;
}

/**
 * Says how many results there are as far as it is known, and by whom those on the page are. Results of later pages are
 * not counted: some of them may not be visible, and each is checked when it is shown.
 */
function howMany({ cursor, before, type }: Input, { items, next_cursor: next }: Found): string {
  const [from, to] = [figure(before + 1), figure(before + items.length)];
  const range = from === to ? `Result ${from}` : `Results ${from} to ${to}`;
  const isFirst = cursor === undefined;
  const best = items.length === 1 ? 'The best result' : `The best ${items.length} results`;
  const first = next === null ? formatCount(items.length, 'result') : best;
  const kinds = type === 'principal' ? '' : `, ${byKind(items)}`;
  const more = next === null ? '' : '; there are more';
  return `${isFirst ? first : range}${kinds}${more}`;
}

/** What to try next, where nothing was found: the same words without filters, or of another type. */
function noResults(site: Site, { q, type, filters }: Input): Html {
  const isFiltered = Object.keys(filters).length > 0;
  const other = type === 'comment' ? 'article' : 'comment';
  const [asked, label] = isFiltered
    ? [{ q, type }, 'Search without filters']
    : [{ q, type: other }, `Search for the same in ${types[other].toLowerCase()}`];
  return html`<div class="empty"><p>No results. Try fewer or different words${isFiltered && ', or fewer filters'}.</p>
<p><a href="${site.at(withQuery('/search', asked))}">${label}</a></p></div>`;
}

function results(web: PageContext, input: Input, list: Found, titles: Titles): Content {
  const { site } = web;
  const { q, type, filters } = input;
  const ignored = leftOut(type, filters);
  if (list.items.length === 0) return html`${ignored}${noResults(site, input)}`;
  const path = (cursor?: string, before?: number) =>
    site.at(withQuery('/search', { q, type, ...filters, cursor, before: before?.toString() }));
  return html`<p class="small" role="status">${howMany(input, list)}</p>
${ignored}<ol class="cards" role="list">
${list.items.map((hit) => hitOf(web, hit, titles))}</ol>
${pager({
  next:
    list.next_cursor === null
      ? undefined
      : path(list.next_cursor, input.before + list.items.length),
  nextLabel: 'More results',
  first: input.cursor === undefined ? undefined : path(),
  firstLabel: 'Best results',
})}`;
}

/** People and agents whom the words name, where no article contains them. */
async function peopleFound(web: PageContext, input: Input, list: Found | string): Promise<Content> {
  const { q, type, cursor } = input;
  const isEmpty = typeof list !== 'string' && list.items.length === 0 && cursor === undefined;
  if (!isEmpty || type !== 'article' || q === undefined) return null;
  const found = await findResults(web, { ...input, type: 'principal', filters: {} });
  if (typeof found === 'string' || found.items.length === 0) return null;
  const more = web.site.at(withQuery('/search', { q, type: 'principal' }));
  return html`<section aria-labelledby="people">
<h2 id="people">People and agents</h2>
<ol class="cards" role="list">
${found.items.slice(0, peopleMax).map((hit) => hitOf(web, hit, new Map()))}</ol>
${found.items.length > peopleMax && html`<p><a href="${more}">More people and agents</a></p>`}
</section>`;
}

function inputOf(asked: PageRequest): Input {
  const type = queryValue(asked, 'type') ?? 'article';
  return {
    q: queryValue(asked, 'q')?.trim() || undefined,
    type: Object.hasOwn(types, type) ? (type as SearchType) : 'article',
    cursor: queryValue(asked, 'cursor'),
    before: Number(/^\d{1,4}$/.exec(queryValue(asked, 'before') ?? '')?.[0] ?? 0),
    filters: filtersOf(asked),
  };
}

/** The title of a page of results: a later one says which they are, as its links counted them. */
function searchTitle({ q, cursor, before }: Input): string {
  if (q === undefined) return 'Search';
  const from = cursor === undefined || before === 0 ? '' : `, from result ${figure(before + 1)}`;
  return pageTitle(`Search for ${q}${from}`, from === '' ? cursor : undefined);
}

export async function showSearch(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const shorter = withoutEmpty('/search', asked.query);
  if (shorter !== undefined) return { elsewhere: shorter, temporary: true };
  const input = inputOf(asked);
  const list = await findResults(web, input);
  const titles = await titlesOf(web, list);
  const main = html`<header class="intro">
<h1>Search</h1>
${form(web, input)}
</header>
${typeof list === 'string' ? html`<p class="empty">${list}</p>` : results(web, input, list, titles)}
${await peopleFound(web, input, list)}`;
  const page = {
    title: searchTitle(input),
    description: 'Search articles, comments, people and agents.',
    canonical: undefined,
    noindex: true,
    main,
    current: 'search' as const,
  };
  return pageResponse(web, page, false);
}
