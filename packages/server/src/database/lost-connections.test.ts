// Tests of connections lost at critical moments, on a real PostgreSQL: work continues.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { resetProxy } from '#test/faults/reset-proxy';
import { throwAwayDatabase, until } from '#test/throw-away-database';
import { newClient } from './client/new-client.ts';
import { openDatabase } from './client/pool.ts';
import { sql } from './client/sql.ts';

const server = await throwAwayDatabase();
after(() => server[Symbol.asyncDispose]());

const silent = () => undefined;

test(
  'a stale plan closes its own connection, not the one that another read opens and loses meanwhile',
  { timeout: 900_000 },
  async () => {
    await using clone = await server.clone(false);
    await using proxy = await resetProxy(clone.connection);
    await using db = openDatabase({
      connection: proxy.connection,
      readers: 1,
      writers: 1,
      patience: 12,
      onError: silent,
    });
    await clone.ask('create table notes as select 1 as id');
    await clone.ask('create table marks as select 1 as id');
    // Written so that online DDL makes their plans stale.
    const first = sql<{ id: number }>`select * from notes`;
    const second = sql<{ id: number }>`select * from marks`;
    assert.equal((await db.rows(first)).length, 1);
    assert.equal((await db.rows(second)).length, 1);
    await clone.ask('alter table notes add column text text');
    await clone.ask('alter table marks add column text text');
    const holder = new pg.Client(clone.connection);
    await holder.connect();
    await holder.query('select pg_advisory_lock(7)');
    proxy.holdBack();
    // On one connection in this order: the first is stale, the next waits for a lock, the last is stale too.
    const reads = [
      db.rows(first),
      db.rows(sql`select pg_advisory_xact_lock_shared(7)::text`),
      db.rows(second),
    ];
    await until('the first read opens another connection', () => proxy.held() === 1);
    await holder.end();
    await reads[1];
    proxy.reset();
    const rows = await Promise.all(reads);
    assert.deepEqual(
      rows.map(({ length }) => length),
      [1, 1, 1],
    );
  },
);

test('an error of the work is not taken for a lost connection, whatever it says', async () => {
  await using clone = await server.clone(false);
  await using db = openDatabase({
    connection: clone.connection,
    readers: 1,
    writers: 1,
    patience: 12,
    onError: silent,
  });
  const backends = new Set<number>();
  let attempts = 0;
  for (const detail of [
    'This account was closed while this request was running.',
    'The report was closed before.',
    'Connection ended, says the article.',
    'The contract was terminated.',
    'This text is not queryable.',
  ]) {
    const refused = db.transaction(async (tx) => {
      attempts += 1;
      const row = await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`);
      backends.add(row?.pid ?? 0);
      throw new Error(detail);
    });
    await assert.rejects(refused, { message: detail });
  }
  assert.equal(attempts, 5);
  assert.equal(backends.size, 1);
});

test('a server that vanishes ends what waits for it, which is sent again on another connection', async () => {
  await using clone = await server.clone(false);
  await using proxy = await resetProxy(clone.connection);
  const lost: string[] = [];
  await using db = openDatabase({
    connection: proxy.connection,
    readers: 1,
    writers: 1,
    patience: 0.2,
    onError: ({ message }) => void lost.push(message),
  });
  const one = sql<{ one: number }>`select 1 as one`;
  const read = () => db.first(one);
  const transact = () => db.transaction((tx) => tx.first(one));
  assert.deepEqual([await read(), await transact()], [{ one: 1 }, { one: 1 }]);
  proxy.vanish();
  assert.deepEqual(await Promise.all([read(), transact()]), [{ one: 1 }, { one: 1 }]);
  assert.equal(lost[0], 'The database did not answer.');
});

test('a connection that waits for no answer stays, however long the server says nothing', async () => {
  await using clone = await server.clone(false);
  const client = newClient(clone.connection, { settings: { statement_timeout: 1_000 } });
  await client.connect();
  const pid = async () => (await client.query('select pg_backend_pid() as pid')).rows;
  const before = await pid();
  await wait(6_000);
  assert.deepEqual(await pid(), before);
  await client.end();
});
