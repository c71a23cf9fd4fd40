// A search as it was asked for, whatever it is for.
import type { searchTypes } from '@colophon/contract';
import type { MarkFilters } from './index-tags.ts';
import type { QueryText } from './query-text.ts';
import type { RankedPlace } from './search-cursor.ts';

export interface SearchRequest {
  readonly query: QueryText;
  /** As it was typed. */
  readonly text: string;
  /** Names are ids, topics slugs, languages canonical tags. */
  readonly filters: MarkFilters & {
    readonly since: string | undefined;
    readonly until: string | undefined;
  };
  readonly limit: number;
  /** Where the page before ended. */
  readonly place: RankedPlace | undefined;
  readonly now: Date;
}

/** A page of hits, and how they were searched; `next` is undefined on the last page. */
export interface FoundPage<H> {
  readonly items: readonly H[];
  readonly next: RankedPlace | undefined;
}

/** When the first page of this search was asked for: later ones are of the same articles. */
export function asOf({ place, now }: Pick<SearchRequest, 'place' | 'now'>): Date {
  return place === undefined ? now : new Date(place.asOf);
}

/** Up to when an article or a comment may have come: pages after the first leave out what came since. */
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

/** The rows that a page shows, of one more than that, and where it ends. */
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

/** The others are of articles: a comment has no topic and no language of its own, a principal no author. */
const filtersOfTypes: Readonly<Record<(typeof searchTypes)[number], readonly Filter[]>> = {
  article: filters,
  comment: ['author', 'kind', 'since', 'until'],
  principal: ['kind'],
};

/** Why a search is refused: it has a filter that what it is for does not have. */
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
