// Statements that are sent together are one write to the socket.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { migratedClone } from '#test/migrated-clone';
import { clientOptions, send } from './client-config.ts';
import { newClient } from './new-client.ts';
import type { Connection } from './new-client.ts';
import { sql } from './sql.ts';

interface Internals {
  readonly connection: { readonly stream: Socket };
}

const itself = (value: number) => sql<object>`select ${value}::integer as value`;

async function openClient(connection: Connection) {
  const client = newClient(connection, clientOptions(false));
  client.on('error', () => undefined);
  await client.connect();
  const { stream } = (client as unknown as Internals).connection;
  let writes = 0;
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name]?.bind(stream) as (...given: unknown[]) => void;
    Object.assign(stream, {
      [name]: (...given: unknown[]) => {
        writes += 1;
        write(...given);
      },
    });
  }
  await send(client, itself(0));
  const count = () => {
    const counted = writes;
    writes = 0;
    return counted;
  };
  count();
  return { client, count };
}

const valuesOf = (results: readonly { readonly rows: object[] }[]) =>
  results.flatMap(({ rows }) => rows.map((row) => (row as { value: number }).value));

test('statements of a transaction that are sent without waiting are one write', async () => {
  await using clone = await migratedClone();
  const { client, count } = await openClient(clone.connection);
  const results = await Promise.all([1, 2, 3].map((value) => send(client, itself(value))));
  assert.deepEqual(valuesOf(results), [1, 2, 3]);
  assert.equal(count(), 1);
  await client.end();
});
