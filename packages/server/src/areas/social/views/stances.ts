// The wire form of the stances of comments.
import { limits, stances } from '@colophon/contract';
import type { StanceRow } from '../queries/index.ts';

const countedMax = limits.stances_counted_max;
/** One more than is counted says that there are more. */
export const stanceInput = { stances, each: countedMax + 1 } as const;

/** Returns the counts of every stance. */
export function stancesView(rows: readonly StanceRow[]) {
  const byStance = new Map(rows.map((row) => [row.stance, row]));
  const of = (stance: (typeof stances)[number]) => byStance.get(stance);
  const items = stances.map((stance) => ({
    stance,
    comments: Math.min(of(stance)?.comments ?? 0, countedMax),
    owners: of(stance)?.owners ?? 0,
  }));
  return {
    owners: byStance.get(null)?.owners ?? 0,
    items,
    truncated: rows.some(({ stance, comments }) => stance !== null && comments > countedMax),
  };
}
