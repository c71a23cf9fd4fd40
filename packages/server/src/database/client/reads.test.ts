// Tests of reads on a real PostgreSQL: long reads do not delay short ones, and run in order.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { throwAwayDatabase, until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { isTimeout } from './pg-errors.ts';
import { sql, takesLong } from './sql.ts';

const server = await throwAwayDatabase();
after(() => server[Symbol.asyncDispose]());

/** The same value as in reads.ts. */
const atOnce = 3;

/** Takes a lock that `readBehind` waits for; returns the function that releases it. */
async function hold({ db }: Clone, key: number): Promise<() => Promise<void>> {
  const { promise: done, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${key}::integer, 0)::text as held`);
    isHeld();
    await done;
  });
  await Promise.race([held, holding]);
  return async () => {
    letGo();
    await holding;
  };
}

/** A long read that completes when the lock is released. */
async function readBehind({ db }: Clone, key: number): Promise<number> {
  const row = await db.first(
    takesLong(
      sql<{ key: number }>`
      select pg_advisory_xact_lock_shared(${key}::integer, 0)::text as held, ${key}::integer as key`,
    ),
  );
  return row?.key ?? 0;
}

/** The locks that reads currently wait for. */
async function waitedFor({ ask }: Clone): Promise<number[]> {
  const rows = await ask<{ key: number }>(`
    select classid::integer as key from pg_locks
    where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())
    order by 1`);
  return rows.map(({ key }) => key);
}

const waitsFor = (clone: Clone, keys: readonly number[]) =>
  until(`reads wait for ${keys.join()}`, async () => {
    const waited = await waitedFor(clone);
    return waited.join() === keys.join();
  });

test('short reads do not wait behind long ones, however many there are', async () => {
  await using clone = await server.clone();
  const release = await hold(clone, 1);
  const long = [1, 1, 1, 1, 1].map((key) => readBehind(clone, key));
  await waitsFor(clone, Array(atOnce).fill(1));
  const row = await clone.db.first(sql<{ two: number }>`select 1 + 1 as two`);
  assert.equal(row?.two, 2);
  assert.equal(clone.db.counts().reads, 5);
  await release();
  assert.deepEqual(await Promise.all(long), [1, 1, 1, 1, 1]);
  assert.equal(clone.db.counts().reads, 0);
});

test('a few long reads run at once; the next comes when one is answered, in the order of asking', async () => {
  await using clone = await server.clone();
  const keys = [11, 12, 13, 14, 15];
  const releases = new Map<number, () => Promise<void>>();
  for (const key of keys) releases.set(key, await hold(clone, key));
  const reads = keys.map((key) => readBehind(clone, key));
  await waitsFor(clone, [11, 12, 13]);
  await releases.get(12)?.();
  await waitsFor(clone, [11, 13, 14]);
  await releases.get(11)?.();
  await waitsFor(clone, [13, 14, 15]);
  for (const key of [13, 14, 15]) await releases.get(key)?.();
  assert.deepEqual(await Promise.all(reads), keys);
});

test('a long read whose connection is lost is read again', async () => {
  await using clone = await server.clone();
  const release = await hold(clone, 21);
  const read = readBehind(clone, 21);
  await waitsFor(clone, [21]);
  const ended = await clone.ask(`
    select pg_terminate_backend(pid) from pg_locks
    where database = (select oid from pg_database where datname = current_database())
      and locktype = 'advisory' and not granted and classid = 21`);
  assert.equal(ended.length, 1);
  await waitsFor(clone, [21]);
  await release();
  assert.equal(await read, 21);
});

test('a long read that fails is a failure, and its connection serves the next', async () => {
  await using clone = await server.clone();
  const wrong = takesLong(sql`select 1 / ${0}::integer as nothing`);
  for (let time = 0; time < 2 * atOnce; time += 1)
    await assert.rejects(clone.db.rows(wrong), /division by zero/);
  const { db } = clone;
  assert.deepEqual(await db.rows(takesLong(sql<{ one: number }>`select 1 as one`)), [{ one: 1 }]);
});

test('more short reads than it can finish soon are refused at once, and the others are answered', async () => {
  await using clone = await server.clone(false);
  const all = await Promise.allSettled(
    Array.from({ length: 1_100 }, () => clone.db.first(sql<{ one: number }>`select 1 as one`)),
  );
  const refused = all.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1_100 - 1_024);
  for (const one of refused)
    assert.ok(one.status === 'rejected' && isTimeout(one.reason), 'it becomes 503');
  assert.deepEqual(await clone.db.first(sql<{ one: number }>`select 1 as one`), { one: 1 });
});
