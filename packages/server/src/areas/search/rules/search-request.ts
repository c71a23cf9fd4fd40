// A search request of any type.
import type { searchTypes } from '@colophon/contract';
import type { MarkFilters } from './index-tags.ts';
import type { QueryText } from './query-text.ts';
import type { RankedPlace } from './search-cursor.ts';

export interface SearchRequest {
  readonly query: QueryText;
  /** The query as typed. */
  readonly text: string;
  /** Authors are ids, topics slugs, languages canonical tags. */
  readonly filters: MarkFilters & {
    readonly since: string | undefined;
    readonly until: string | undefined;
  };
  readonly limit: number;
  /** The end of the previous page. */
  readonly place: RankedPlace | undefined;
  readonly now: Date;
}

/** A page of hits, and the position of the next page; `next` is undefined on the last page. */
export interface FoundPage<H> {
  readonly items: readonly H[];
  readonly next: RankedPlace | undefined;
}

/** Returns the time of the first page's request: later pages cover the same articles. */
export function asOf({ place, now }: Pick<SearchRequest, 'place' | 'now'>): Date {
  return place === undefined ? now : new Date(place.asOf);
}

/** Returns the end of the time to search: pages after the first exclude later articles and comments. */
export function untilOf(
  request: Pick<SearchRequest, 'place' | 'now' | 'filters'>,
): string | undefined {
  const { until } = request.filters;
  if (request.place === undefined) return until;
  const since = new Date(asOf(request).getTime() + 1).toISOString();
  return until === undefined || since < until ? since : until;
}

interface Ranked {
  readonly score: number;
  readonly id: string;
}

/** Returns the rows of a page, from one more than its limit, and where it ends. */
export function pageOfRanked<R extends Ranked>(
  rows: readonly R[],
  request: SearchRequest,
  { stage, most }: { readonly stage: number; readonly most: number },
): { readonly shown: readonly R[]; readonly next: RankedPlace | undefined } {
  const { limit, place } = request;
  const before = place?.shown ?? 0;
  const shown = rows.slice(0, Math.max(0, Math.min(limit, most - before)));
  const last = shown.at(-1);
  const count = before + shown.length;
  const from = asOf(request).getTime();
  if (last === undefined || rows.length <= shown.length || count >= most)
    return { shown, next: undefined };
  return { shown, next: { score: last.score, id: last.id, shown: count, stage, asOf: from } };
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
const filtersOfTypes: Readonly<Record<(typeof searchTypes)[number], readonly Filter[]>> = {
  article: filters,
  comment: ['author', 'kind', 'since', 'until'],
  principal: ['kind'],
};

/** Returns why a search is rejected: a filter that its type does not have; otherwise undefined. */
export function refusedFilter(
  type: (typeof searchTypes)[number],
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
    `The query parameter ${refused} is no filter of type=${type}: the ${others} of ${type}s ${are} ` +
    `${allowed.join(', ')}. Leave ${refused} out.`
  );
}
