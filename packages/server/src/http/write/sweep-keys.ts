// Deletes expired idempotency keys and ended windows of quotas periodically.
import { limits } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Tx } from '#database';
import { sweeping } from '#outbox';
import type { Recurring } from '#outbox';
import { deleteEndedWindows } from './quotas.ts';

const hourMs = 60 * 60 * 1_000;

function deleteIdempotencyKeys(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by time
    with old as materialized (
      select bucket, principal_id, key
      from idempotency_keys
      where created_at < ${before.toISOString()}
      ${justFirst(limit)}
    )
    delete from idempotency_keys
    using old
    where idempotency_keys.bucket = old.bucket
      and idempotency_keys.principal_id = old.principal_id
      and idempotency_keys.key = old.key`);
}

export const recurring: readonly Recurring[] = [
  {
    name: 'sweepIdempotencyKeys',
    everyMinutes: 10,
    run: sweeping('idempotency keys', deleteIdempotencyKeys, limits.idempotency_hours * hourMs),
  },
  {
    name: 'sweepQuotaUses',
    everyMinutes: 60,
    // The longest window is a day. Another day covers hosts whose clocks differ.
    run: sweeping('windows of quotas', deleteEndedWindows, 48 * hourMs),
  },
];
