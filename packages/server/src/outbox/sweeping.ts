// Recurring deletion of rows that have expired.
import type { Tx } from '#database';
import type { Recurring } from './subscriber.ts';

const sweptAtOnce = 2_000;

export interface Sweep {
  /** Of the recurring job. */
  readonly name: string;
  readonly everyMinutes: number;
  /** What the rows are, for the log. */
  readonly what: string;
  /** How long rows are kept after they expired, in ms; 0 if absent. */
  readonly keptMs?: number;
  /** Deletes at most `limit` rows that expired before `at` and returns how many. */
  readonly deleteBefore: (tx: Tx, at: Date, limit: number) => Promise<number>;
}

/** Returns the recurring job that deletes what has expired, in short transactions, and logs how many rows. */
export function sweepJob({ name, everyMinutes, what, keptMs = 0, deleteBefore }: Sweep): Recurring {
  return {
    name,
    everyMinutes,
    run: async ({ db, log, now }) => {
      const before = new Date(now().getTime() - keptMs);
      let deleted = 0;
      for (let batch = sweptAtOnce; batch === sweptAtOnce; deleted += batch)
        batch = await db.transaction((tx) => deleteBefore(tx, before, sweptAtOnce));
      if (deleted > 0) log.debug({ deleted }, `Deleted ${what} that have expired.`);
    },
  };
}
