// A transaction whose BEGIN fails, on a real PostgreSQL: the statements that are sent with it change nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type pg from 'pg';
import { throwAwayDatabase } from '#test/throw-away-database';
import { openDatabase } from './pool.ts';
import { sql } from './sql.ts';

const server = await throwAwayDatabase();
after(() => server[Symbol.asyncDispose]());

/** Spoils the word BEGIN of the first `count` transactions, as long as it is, so that PostgreSQL refuses it. */
async function spoilingProxy(target: pg.ClientConfig, count: number) {
  let left = count;
  const proxy = createServer((near) => {
    const far = connect(join(target.host ?? '', `.s.PGSQL.${target.port}`));
    near.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf('begin');
      if (at >= 0 && left > 0) {
        left -= 1;
        chunk.write('bogus', at);
      }
      far.write(chunk);
    });
    far.pipe(near);
    near.on('close', () => far.destroy()).on('error', () => far.destroy());
    far.on('close', () => near.destroy()).on('error', () => near.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    connection: { ...target, host: '127.0.0.1', port },
    [Symbol.asyncDispose]: async () => {
      proxy.close();
    },
  };
}

async function openThrough(count: number) {
  await using all = new AsyncDisposableStack();
  const clone = all.use(await server.clone(false));
  const proxy = all.use(await spoilingProxy(clone.connection, count));
  const { connection } = proxy;
  const onError = () => undefined;
  const db = all.use(openDatabase({ connection, readers: 1, writers: 1, patience: 12, onError }));
  await clone.ask('create table notes (id integer)');
  const kept = async () => (await clone.ask<{ id: number }>('select id from notes')).length;
  const own = all.move();
  return { db, kept, [Symbol.asyncDispose]: () => own.disposeAsync() };
}

const insert = sql`insert into notes values (1)`;

test('BEGIN fails each time: the transaction fails and stores nothing', async () => {
  await using own = await openThrough(Number.POSITIVE_INFINITY);
  const together = own.db.transaction(async (tx) => void tx.run(insert));
  await assert.rejects(together);
  const afterwards = own.db.transaction(async (tx) => {
    await tx.run(insert);
    await tx.run(insert);
  });
  await assert.rejects(afterwards);
  const rolledBack = own.db.transaction(async (tx) => tx.run(insert), { rollback: true });
  await assert.rejects(rolledBack);
  assert.equal(await own.kept(), 0);
});

test('BEGIN fails once: the next attempt stores everything, once', async () => {
  await using own = await openThrough(1);
  await own.db.transaction(async (tx) => {
    await tx.run(insert);
    await tx.run(insert);
  });
  assert.equal(await own.kept(), 2);
});
