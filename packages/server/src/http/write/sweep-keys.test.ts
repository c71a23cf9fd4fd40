// Tests of sweeping expired idempotency keys, on a real PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migratedClone } from '#test/migrated-clone';
import { quiet } from '#test/throw-away-database';
import { sweepIdempotencyKeys } from './sweep-keys.ts';

test('idempotency keys older than 24 hours go, in as many batches as it takes; younger ones stay', async () => {
  await using clone = await migratedClone();
  await clone.ask(`
    insert into idempotency_keys (bucket, principal_id, key, fingerprint, status, created_at)
    select i % 4096, 'p', i::text, '', 200, timestamptz '2026-05-01T12:00:00Z' + (i || ' seconds')::interval
    from generate_series(1, 5000) i`);
  const now = () => new Date('2026-05-02T13:15:00Z');
  await sweepIdempotencyKeys.run({ db: clone.db, log: quiet, now });
  const rows = await clone.ask(
    "select count(*)::int as kept, min(created_at) >= '2026-05-01T13:15:00Z' as young from idempotency_keys",
  );
  assert.deepEqual(rows, [{ kept: 501, young: true }]);
});
