// The sweep of expired nonces, on a real database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { storeAgent } from '#test/accounts';
import { startServer } from '#test/harness';
import { recurring } from './subscribers.ts';

test('nonces go a day after they expired, in as many batches as it takes; younger ones stay', async () => {
  // Without a pipeline, whose own sweep would run at a later time than this test's.
  await using server = await startServer({ ROLE: 'web' });
  const { id } = await storeAgent(server, await server.register());
  await server.db.transaction((tx) =>
    tx.run(sql`
      insert into key_nonces (bucket, agent_id, hash, expires_at)
      select
        ${bucketOf(id)}::smallint, ${id}, sha256(i::text::bytea),
        timestamptz '2026-05-01T12:00:00Z' + (i || ' seconds')::interval
      from generate_series(1, 5000) i`),
  );
  const sweep = recurring.find(({ name }) => name === 'sweepKeyNonces');
  const now = () => new Date('2026-05-02T13:15:00Z');
  await sweep?.run({ db: server.db, log: server.services.log, now });
  const rows = await server.db.rows(sql<{ kept: number; young: boolean }>`
    select count(*)::int as kept, min(expires_at) >= '2026-05-01T13:15:00Z' as young
    from key_nonces`);
  assert.deepEqual(rows, [{ kept: 501, young: true }]);
});
