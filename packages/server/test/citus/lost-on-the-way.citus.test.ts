// What a coordinator and a worker say to each other is lost at the worst moments of a transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionLost } from '#database';
import { newId } from '#lib/id';
import { appendMessage } from '../../src/outbox/index.ts';
import { openDedicatedConnection } from '../../src/outbox/dedicated-connection.ts';
import { moveBatch, routesOf } from '../../src/outbox/relay.ts';
import { migratedClone } from '../migrated-clone.ts';
import { jobs, subscriber } from '../pipeline.ts';
import { quiet, until } from '../throw-away-database.ts';
import { severalServers } from './one-server.ts';
import { openCutLink } from './cut-link.ts';
import type { Fate } from './cut-link.ts';

const messageIn = (bucket: number) =>
  ({ bucket, type: 'article.changed', payload: { article_id: newId(bucket) } }) as const;

test(
  'a commit that has not reached a worker is not acknowledged, and is completed',
  severalServers,
  async () => {
    await using clone = await migratedClone();
    let cuts = 0;
    const cut = (text: string): Fate => {
      if (!text.includes('COMMIT PREPARED') || cuts > 0) return 'pass';
      cuts += 1;
      return 'before';
    };
    await using link = await openCutLink(clone.connection, cut);
    const written = clone.db.transaction(
      async (tx) => {
        for (const bucket of link.buckets) void appendMessage(tx, messageIn(bucket));
      },
      { detectsItself: true },
    );
    await assert.rejects(written, isConnectionLost);
    assert.equal(cuts, 1);
    const list = () => clone.ask('select id from outbox');
    assert.equal((await list()).length, 1, 'one server has committed');
    await clone.ask('select recover_prepared_transactions()');
    assert.equal((await list()).length, 2);
  },
);

test(
  'a message whose deletion is committed by its worker alone has its job',
  severalServers,
  async () => {
    await using clone = await migratedClone();
    let cuts = 0;
    // The statement is a transaction of its own: the worker gets no COMMIT after it.
    const cut = (text: string): Fate => {
      if (!/DELETE FROM [\w.]*outbox/i.test(text) || cuts > 0) return 'pass';
      cuts += 1;
      return 'after';
    };
    await using link = await openCutLink(clone.connection, cut);
    await clone.db.transaction(async (tx) => {
      void appendMessage(tx, messageIn(link.buckets[0]));
    });
    await using relay = openDedicatedConnection({ connection: clone.connection, log: quiet });
    await until('the relay is connected', () => relay.alone(async () => true).catch(() => false));
    const routes = routesOf([subscriber('see', () => undefined)]);
    const move = () => relay.alone((ask) => moveBatch(ask, routes, { sharded: true }));
    await until('no message waits', async () => (await move().catch(() => 'cut')) === 0);
    assert.equal(cuts, 1);
    assert.equal(await jobs(clone), 1);
  },
);
