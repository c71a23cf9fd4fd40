// Plans a search for articles: how far back in time to scan, by cached statistics of words and of times.
import type { Db } from '#database';
import { listHorizons, listShares } from '../queries/search-statistics.ts';
import type { StatisticsColumn } from '../queries/search-statistics.ts';
import { spansToSearch } from '../rules/plan-search.ts';
import type { Horizon, Shares } from '../rules/plan-search.ts';
import type { ResolvedQuery } from '../rules/search-request.ts';

interface Statistics {
  /** The share of all articles with a word in the text, or in the title; marks are in both. */
  readonly shares: Readonly<Record<Exclude<StatisticsColumn, 'marks'>, Shares>>;
  readonly horizons: readonly Horizon[];
}

interface Cached {
  readonly statistics: Promise<Statistics>;
  readonly until: number;
}

const cachedMs = 60_000;
const cached = new WeakMap<Db, Cached>();

async function readStatistics(db: Db): Promise<Statistics> {
  const [all, horizons] = await Promise.all([listShares(db), listHorizons(db)]);
  const sharesIn = (place: StatisticsColumn) =>
    new Map(
      all
        .filter((one) => one.place === place || (one.place === 'marks' && one.word !== ''))
        .map(({ word, share }) => [word, share]),
    );
  const shares = { document: sharesIn('document'), title: sharesIn('title') };
  return { shares, horizons };
}

/** Returns statistics of the last minute: they change at most every ten minutes, and each search needs them. */
function recentStatistics(db: Db, now: Date): Promise<Statistics> {
  const last = cached.get(db);
  if (last !== undefined && now.getTime() < last.until) return last.statistics;
  const statistics = readStatistics(db);
  cached.set(db, { statistics, until: now.getTime() + cachedMs });
  // The next call queries again.
  statistics.catch(() => cached.delete(db));
  return statistics;
}

/**
 * Returns a function that fills in the spans to scan: everything for rare words, the newest articles for very
 * common ones. Call it with 0, then with larger steps while a step finds too little. The statistics decide how
 * much a search scans, never what it may find.
 */
export async function planSearch(
  db: Db,
  query: ResolvedQuery,
): Promise<(step: number) => ResolvedQuery> {
  const { required, request } = query;
  const { since, until } = request.filters;
  const { shares, horizons } = await recentStatistics(db, request.now);
  const spansIn = (place: 'document' | 'title', step: number) =>
    spansToSearch(required, shares[place], horizons, { since, until, now: request.asOf, step });
  return (step) => ({
    ...query,
    spans: spansIn('document', step),
    titleSpans: spansIn('title', step),
  });
}
