// Recurring deletion of rows that have expired.
import type { Tx } from '#database';
import type { Recurring } from './messages.ts';

const sweptAtOnce = 2_000;

/**
 * Returns the body of a recurring job that deletes what expired `keptMs` milliseconds ago, in short transactions,
 * and logs how many rows. `deleteBefore` deletes at most `limit` rows that expired before `at` and returns how many.
 */
export function sweeping(
  what: string,
  deleteBefore: (tx: Tx, at: Date, limit: number) => Promise<number>,
  keptMs = 0,
): Recurring['run'] {
  return async ({ db, log, now }) => {
    const before = new Date(now().getTime() - keptMs);
    let deleted = 0;
    for (let batch = sweptAtOnce; batch === sweptAtOnce; deleted += batch)
      batch = await db.transaction((tx) => deleteBefore(tx, before, sweptAtOnce));
    if (deleted > 0) log.debug({ deleted }, `Deleted ${what} that have expired.`);
  };
}
