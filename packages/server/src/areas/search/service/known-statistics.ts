// A cache of word and time statistics, which change at most every ten minutes; each search needs them.
import type { Db } from '#database';
import { listHorizons, listShares } from '../queries/index.ts';
import type { Place } from '../queries/index.ts';
import type { Horizon, Shares } from '../rules/search-plan.ts';

export interface Statistics {
  /** The share of all articles with a word in the text, or in the title; marks are in both. */
  readonly shares: Readonly<Record<Exclude<Place, 'marks'>, Shares>>;
  readonly horizons: readonly Horizon[];
}

interface Kept {
  readonly statistics: Promise<Statistics>;
  readonly until: number;
}

const keptMs = 60_000;
const kept = new WeakMap<Db, Kept>();

async function read(db: Db): Promise<Statistics> {
  const [all, horizons] = await Promise.all([listShares(db), listHorizons(db)]);
  const sharesIn = (place: Place) =>
    new Map(
      all
        .filter((one) => one.place === place || (one.place === 'marks' && one.word !== ''))
        .map(({ word, share }) => [word, share]),
    );
  const shares = { document: sharesIn('document'), title: sharesIn('title') };
  return { shares, horizons };
}

/**
 * Returns the statistics of the last minute. They decide how much a search scans, never what it may find.
 */
export function knownStatistics(db: Db, now: Date): Promise<Statistics> {
  const last = kept.get(db);
  if (last !== undefined && now.getTime() < last.until) return last.statistics;
  const statistics = read(db);
  kept.set(db, { statistics, until: now.getTime() + keptMs });
  // The next call queries again.
  statistics.catch(() => kept.delete(db));
  return statistics;
}
