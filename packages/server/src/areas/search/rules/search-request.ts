// The value that passes through a search: what was requested, and the query that is resolved from it.
import type { searchTypes } from '@colophon/contract';
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

/** How one or more configurations parse one group of a query: tsqueries as text. */
export interface Reading {
  /** Index in `groups`. */
  readonly part_of: number;
  /** The configurations with this result. */
  readonly configurations: readonly string[];
  /** All words without alternatives; null if there are only stop words. */
  readonly plain: string | null;
  /** The same as a phrase; null if it is a single word. */
  readonly phrase: string | null;
  /** For each part with alternatives, a query for any of them. */
  readonly choices: readonly string[];
  /** The excluded words, in any configuration; null if nothing is excluded. */
  readonly unwanted: string | null;
}

/** Ranking queries for articles of one configuration, as tsqueries in text form. */
export interface OwnQuery {
  readonly configuration: string;
  readonly words: string;
  readonly anyWord: string;
  readonly phrase: string | null;
}

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
  /** The requirements of each reading: one lexeme or mark of every list must be present. */
  readonly required: readonly (readonly (readonly string[])[])[];
  /** The lexemes of all readings: snippets mark them. */
  readonly lexemes: readonly string[];
  /** Marks of the filters: an article must have all of them. */
  readonly marks: readonly string[];
  /** Marks of time spans, of which an article that matches by text must have one; undefined: any time. */
  readonly spans?: readonly string[] | undefined;
  /** The same for articles that match by title. */
  readonly titleSpans?: readonly string[] | undefined;
}

const filters = [
  'author',
  'topic',
  'language',
  'disclosure',
  'kind',
  'signed',
  'since',
  'until',
] as const;
type Filter = (typeof filters)[number];

/** The other filters are for articles only: comments have no topic or language, principals no author. */
const filtersOfTypes: Readonly<Record<SearchType, readonly Filter[]>> = {
  article: filters,
  comment: ['author', 'kind', 'since', 'until'],
  principal: ['kind'],
};

/** Returns why a search is rejected: a filter that its type does not have; otherwise undefined. */
export function refusedFilter(
  type: SearchType,
  query: Readonly<Partial<Record<Filter, unknown>>>,
): string | undefined {
  const allowed = filtersOfTypes[type];
  const refused = filters.find(
    (filter) => query[filter] !== undefined && !allowed.includes(filter),
  );
  if (refused === undefined) return undefined;
  const others = allowed.length === 1 ? 'only filter' : 'filters';
  const are = allowed.length === 1 ? 'is' : 'are';
  return (
    `The query parameter ${refused} is not a filter for type=${type}: the ${others} of ${type}s ${are} ` +
    `${allowed.join(', ')}. Leave ${refused} out.`
  );
}
