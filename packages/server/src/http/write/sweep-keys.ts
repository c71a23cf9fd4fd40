// The sweeps of expired idempotency keys and of windows of quotas that have ended.
import { limits } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Tx } from '#database';
import type { Sweep } from '#outbox';
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

export const sweeps: readonly Sweep[] = [
  {
    name: 'sweepIdempotencyKeys',
    everyMinutes: 10,
    what: 'idempotency keys',
    keptMs: limits.idempotency_hours * hourMs,
    deleteBefore: deleteIdempotencyKeys,
  },
  {
    name: 'sweepQuotaUses',
    everyMinutes: 60,
    what: 'windows of quotas',
    // The longest window is a day. Another day covers hosts whose clocks differ.
    keptMs: 48 * hourMs,
    deleteBefore: deleteEndedWindows,
  },
];
