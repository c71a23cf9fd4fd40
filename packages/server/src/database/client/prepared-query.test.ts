// A statement is described once on a connection, and its rows are the same afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { migratedClone } from '#test/migrated-clone';
import { clientOptions, send } from './client-config.ts';
import { newClient } from './new-client.ts';
import { isStalePlan } from './pg-errors.ts';
import { sql } from './sql.ts';

interface Internals {
  readonly connection: { describe(message: object): void };
}

/** A connection that counts how often it asks for a description. */
async function openClient(connection: pg.ClientConfig) {
  const client = newClient(connection, clientOptions(false));
  client.on('error', () => undefined);
  await client.connect();
  // As in a transaction of the service, which may write.
  await client.query('set default_transaction_read_only = off');
  const wire = (client as unknown as Internals).connection;
  const describe = wire.describe.bind(wire);
  let described = 0;
  wire.describe = (message) => {
    described += 1;
    describe(message);
  };
  return { client, described: () => described };
}

const one = (id: number, text: string | null) =>
  sql<object>`select ${id}::bigint as id, ${text}::text as text, '2026-01-31 09:30:00.5+00'::timestamptz as at`;

test('each execution returns its own values, in the types of the first', async () => {
  await using clone = await migratedClone();
  const { client, described } = await openClient(clone.connection);
  const at = '2026-01-31T09:30:00.500Z';
  // The second is sent before the first is answered.
  const both = await Promise.all([send(client, one(1, 'a')), send(client, one(2, null))]);
  const rows = [...both, await send(client, one(3, 'c'))].map((result) => result.rows);
  assert.deepEqual(rows, [
    [{ id: 1, text: 'a', at }],
    [{ id: 2, text: null, at }],
    [{ id: 3, text: 'c', at }],
  ]);
  assert.equal(described(), 2, 'the third needed no description');
  const none = await send(client, sql`select 1 as one where ${1}::integer = 2`);
  assert.deepEqual([none.rows, none.rowCount], [[], 0]);
  await client.end();
});

test('statements without rows count what they changed', async () => {
  await using clone = await migratedClone();
  const { client, described } = await openClient(clone.connection);
  await client.query('create temporary table things (id integer)');
  const insert = (id: number) => sql`insert into things (id) values (${id})`;
  for (const id of [1, 2, 3]) {
    const { rowCount, rows, command } = await send(client, insert(id));
    assert.deepEqual([rowCount, rows, command], [1, [], 'INSERT']);
  }
  assert.equal(described(), 1);
  await client.end();
});

test('a failed execution leaves the description of the statement as it was', async () => {
  await using clone = await migratedClone();
  const { client } = await openClient(clone.connection);
  const divide = (by: number) => sql<object>`select 6 / ${by}::integer as result`;
  await assert.rejects(send(client, divide(0)), { code: '22012' });
  assert.deepEqual((await send(client, divide(2))).rows, [{ result: 3 }]);
  await assert.rejects(send(client, divide(0)), { code: '22012' });
  assert.deepEqual((await send(client, divide(3))).rows, [{ result: 2 }]);
  await client.end();
});

test('columns that would change are refused, not read by the old description', async () => {
  await using clone = await migratedClone();
  const { client } = await openClient(clone.connection);
  await client.query('create temporary table things (id integer)');
  await client.query('insert into things (id) values (7)');
  const all = sql<object>`select id from things`;
  for (let turn = 0; turn < 3; turn += 1)
    assert.deepEqual((await send(client, all)).rows, [{ id: 7 }]);
  await client.query('alter table things alter column id type text');
  await assert.rejects(send(client, all), (error) => isStalePlan(error));
  await client.end();
});
