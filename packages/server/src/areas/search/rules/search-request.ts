// What a search is asked for: its filters, and its page with the cursor, which is valid only for its own search. And the
// value that passes through it.
import { createHash } from 'node:crypto';
import { limits } from '@colophon/contract';
import type { searchTypes } from '@colophon/contract';
import { isId } from '#lib/id';
import type { MarkFilters } from './index-tags.ts';
import type { ParsedQuery } from './parse-query.ts';

type SearchType = (typeof searchTypes)[number];

/** The end of a page: the next one continues below it. */
export interface PageEnd {
  readonly score: number;
  readonly id: string;
  /** The number of hits listed so far. */
  readonly shown: number;
  /** The number of the search's extent, so that the next page is searched in the same way. */
  readonly extent: number;
  /** Time of the first request in milliseconds: newer records do not displace others from the ranking. */
  readonly asOf: number;
}

export interface SearchRequest {
  readonly type: SearchType;
  /** The query as typed. */
  readonly text: string;
  /** Authors are ids, topics slugs, languages canonical tags. */
  readonly filters: MarkFilters & {
    readonly since: string | undefined;
    readonly until: string | undefined;
  };
  readonly limit: number;
  /** The end of the previous page. */
  readonly after: PageEnd | undefined;
  readonly now: Date;
  /** The time of the first page's request: later pages cover the same records. */
  readonly asOf: Date;
  /** The end of the time to search: `until`, or the first page's request. Undefined: any time. */
  readonly before: string | undefined;
}

/** Ranking queries for articles of one configuration, as tsqueries in text form. */
export interface OwnQuery {
  readonly configuration: string;
  readonly words: string;
  readonly anyWord: string;
  readonly phrase: string | null;
}

/** The words of one reading of a query, and the marks: one of each list must be present. */
export type Required = readonly (readonly string[])[];

/** A query on its way through the stages of a search. Resolve fills in all but the spans, plan fills in those. */
export interface ResolvedQuery {
  readonly request: SearchRequest;
  /** The query as it was parsed, or with alternatives for its words. */
  readonly parsed: ParsedQuery;
  /** The stemmed words, as a tsquery in text form; empty if there is nothing to search for. */
  readonly words: string;
  /** Also matches the words without accents, as titles do, and omits the exclusions. */
  readonly titleWords: string;
  /** The same with the exclusions, for title and text together; undefined if nothing is excluded. */
  readonly whole: string | undefined;
  readonly own: readonly OwnQuery[];
  /** The requirements of each reading. */
  readonly required: readonly Required[];
  /** The lexemes of all readings: snippets mark them. */
  readonly lexemes: readonly string[];
  /** Marks of the filters: an article must have all of them. */
  readonly marks: readonly string[];
  /** Marks of time spans, of which an article that matches by text must have one; undefined: any time. */
  readonly spans?: readonly string[] | undefined;
  /** The same for articles that match by title. */
  readonly titleSpans?: readonly string[] | undefined;
}

/** Comments have no topic or language of their own, principals no author. */
const filtersOf = {
  article: ['author', 'topic', 'language', 'disclosure', 'kind', 'signed', 'since', 'until'],
  comment: ['author', 'kind', 'since', 'until'],
  principal: ['kind'],
} as const;
type Filter = (typeof filtersOf)['article'][number];

/** Returns why a search is rejected: a filter that its type does not have; otherwise undefined. */
export function refusedFilter(
  type: SearchType,
  query: Readonly<Partial<Record<Filter, unknown>>>,
): string | undefined {
  const allowed: readonly Filter[] = filtersOf[type];
  const refused = filtersOf.article.find(
    (filter) => query[filter] !== undefined && !allowed.includes(filter),
  );
  if (refused === undefined) return undefined;
  const [others, are] = allowed.length === 1 ? ['only filter', 'is'] : ['filters', 'are'];
  return (
    `The query parameter ${refused} is not a filter for type=${type}: the ${others} of ${type}s ${are} ` +
    `${allowed.join(', ')}. Leave ${refused} out.`
  );
}

type Query = Readonly<Record<string, unknown>>;

/** Identifies a search: a hash of every parameter except those of the page. */
function fingerprint(query: Query): string {
  const { cursor: _, limit: __, ...same } = query;
  const members = Object.entries(same).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 8);
}

export function cursorOf(end: PageEnd, query: Query): string {
  const { score, id, shown, extent, asOf } = end;
  const value = [fingerprint(query), score, id, shown, extent, asOf];
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** PostgreSQL and the contract use years of four digits. */
const lastMs = Date.UTC(9999, 11, 31);

const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isPageEnd(value: unknown): value is [string, number, string, number, number, number] {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [made, score, id, shown, extent, asOf] = value as readonly unknown[];
  return (
    typeof made === 'string' &&
    Number.isFinite(score) &&
    typeof id === 'string' &&
    isId(id) &&
    isWhole(shown, 1) &&
    isWhole(extent, 0) &&
    isWhole(asOf, 0, lastMs)
  );
}

/** Returns the end of the page in a cursor; 'wrong' if it is invalid, 'other' if it belongs to another search. */
export function readCursor(cursor: string, query: Query): PageEnd | 'wrong' | 'other' {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores surplus characters, so one position would have several cursors.
  if (bytes.toString('base64url') !== cursor) return 'wrong';
  let value: unknown;
  try {
    // oxlint-disable-next-line no-restricted-properties -- the shape is checked below, and nothing else of it is used
    value = JSON.parse(bytes.toString());
  } catch {
    return 'wrong';
  }
  if (!isPageEnd(value)) return 'wrong';
  const [made, score, id, shown, extent, asOf] = value;
  if (made !== fingerprint(query)) return 'other';
  return { score, id, shown, extent, asOf };
}

/** A page of hits, and the end of it; `next` is undefined on the last page. */
export interface FoundPage<H> {
  readonly items: readonly H[];
  readonly next: PageEnd | undefined;
}

/** Returns the time that a page covers: pages after the first exclude later articles and comments. */
export function timeOfPage(
  after: PageEnd | undefined,
  now: Date,
  until: string | undefined,
): Pick<SearchRequest, 'asOf' | 'before'> {
  if (after === undefined) return { asOf: now, before: until };
  const since = new Date(after.asOf + 1).toISOString();
  const before = until === undefined || since < until ? since : until;
  return { asOf: new Date(after.asOf), before };
}

/** Returns the rows of a page, from one more than its limit, and where it ends. */
export function pageOf<R extends Pick<PageEnd, 'score' | 'id'>>(
  rows: readonly R[],
  request: SearchRequest,
  extent = 0,
): { readonly shown: readonly R[]; readonly next: PageEnd | undefined } {
  const most = limits.search_results_max;
  const before = request.after?.shown ?? 0;
  const shown = rows.slice(0, Math.max(0, Math.min(request.limit, most - before)));
  const last = shown.at(-1);
  const count = before + shown.length;
  if (last === undefined || rows.length <= shown.length || count >= most)
    return { shown, next: undefined };
  const { score, id } = last;
  return { shown, next: { score, id, shown: count, extent, asOf: request.asOf.getTime() } };
}
