// Deletes expired idempotency keys periodically.
import { sql } from '#database';
import type { Database } from '#database';
import type { Recurring } from '#outbox';

const batchSize = 2_000;
const keptMs = 24 * 60 * 60 * 1_000;

/** Deletes idempotency keys created before `before`, in short transactions, and returns their number. */
async function deleteIdempotencyKeys(db: Database, before: Date): Promise<number> {
  let deleted = 0;
  for (let batch = batchSize; batch === batchSize; deleted += batch) {
    batch = await db.transaction((tx) =>
      tx.run(sql`
        -- every bucket: swept by time
        with old as materialized (
          select bucket, principal_id, key
          from idempotency_keys
          where created_at < ${before.toISOString()}
          limit ${batchSize}
        )
        delete from idempotency_keys
        using old
        where idempotency_keys.bucket = old.bucket
          and idempotency_keys.principal_id = old.principal_id
          and idempotency_keys.key = old.key`),
    );
  }
  return deleted;
}

/** Sweeps idempotency keys, which are kept for 24 hours. */
export const sweepIdempotencyKeys: Recurring = {
  name: 'sweepIdempotencyKeys',
  everyMinutes: 10,
  run: async ({ db, log, now }) => {
    const deleted = await deleteIdempotencyKeys(db, new Date(now().getTime() - keptMs));
    if (deleted > 0) log.debug({ deleted }, 'Deleted expired idempotency keys.');
  },
};
