// Tests of sweeping expired idempotency keys and windows of quotas, on a real PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepJob } from '#outbox';
import { migratedClone } from '#test/migrated-clone';
import { quiet } from '#test/throw-away-database';
import { sweeps } from './sweep-keys.ts';

const run = (name: string) => {
  const sweep = sweeps.find((one) => one.name === name) ?? assert.fail(name);
  return sweepJob(sweep).run;
};

test('idempotency keys older than 24 hours go, in as many batches as it takes; younger ones stay', async () => {
  await using clone = await migratedClone();
  await clone.ask(`
    insert into idempotency_keys (bucket, principal_id, key, fingerprint, status, created_at)
    select i % 4096, 'p', i::text, '', 200, timestamptz '2026-05-01T12:00:00Z' + (i || ' seconds')::interval
    from generate_series(1, 5000) i`);
  const now = () => new Date('2026-05-02T13:15:00Z');
  await run('sweepIdempotencyKeys')({ db: clone.db, log: quiet, now });
  const rows = await clone.ask(
    "select count(*)::int as kept, min(created_at) >= '2026-05-01T13:15:00Z' as young from idempotency_keys",
  );
  assert.deepEqual(rows, [{ kept: 501, young: true }]);
});

test('windows of quotas go two days after they began; totals and younger ones stay', async () => {
  await using clone = await migratedClone();
  await clone.ask(`
    insert into quota_uses (bucket, principal_id, action, window_start, used, allowed)
    select i % 4096, 'p' || i, 'article.create', timestamptz '2026-04-01T00:00:00Z' + (i || ' minutes')::interval, 1, 9
    from generate_series(1, 5000) i`);
  await clone.ask(`
    insert into quota_uses (bucket, principal_id, action, window_start, used, allowed)
    values (7, 'p', 'media.total_bytes', timestamptz '1970-01-01T00:00:00Z', 1, 9)`);
  const now = () => new Date('2026-04-05T12:00:00Z');
  await run('sweepQuotaUses')({ db: clone.db, log: quiet, now });
  const [young] = await clone.ask(`
    select count(*)::int as kept, min(window_start) >= '2026-04-03T12:00:00Z' as young
    from quota_uses
    where action = 'article.create'`);
  assert.deepEqual(young, { kept: 1_401, young: true });
  const totals = await clone.ask("select used from quota_uses where action = 'media.total_bytes'");
  assert.equal(totals.length, 1);
});
