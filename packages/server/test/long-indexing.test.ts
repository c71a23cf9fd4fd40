// Long articles that take seconds to index: what others wait for meanwhile, and that each is indexed in the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { subscribers } from '#search';
import { sql } from '#database';
import { startOutbox } from '#outbox';
import { startServer } from './harness.ts';
import type { Human, TestServer } from './harness.ts';
import { hits, idsOf } from './search.ts';
import { until } from './throw-away-database.ts';

const longCount = 12;

/** Chinese without a repetition nearby: its many pairs make it dear to index. */
function chinese(length: number, seed: number): string {
  let state = seed + 1;
  const characters = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCodePoint(0x4e00 + ((state >>> 8) % 20_000));
  });
  return characters.join('');
}

async function setLanguage(server: TestServer, { token }: Human, id: string, language: string) {
  const body = { language };
  const { status } = await server.ask('PATCH', `/v1/articles/${id}`, { token, key: true, body });
  assert.equal(status, 200);
}

async function configurationsOf(server: TestServer, ids: readonly string[]) {
  const rows = await server.db.rows(sql<{ configuration: string }>`
    select configuration from article_search where article_id = any(${ids}) and configuration is not null`);
  return rows.map(({ configuration }) => configuration);
}

async function countWaiting(server: TestServer): Promise<number> {
  const [row] = await server.db.rows(sql<{ count: number }>`
    select ((select count(*) from outbox where type in ('article.changed', 'indexing.postponed'))
      + (select count(*) from graphile_worker._private_jobs))::integer as count`);
  return row?.count ?? 0;
}

test('a short article is found before the long ones that were changed earlier, and these in the end', async () => {
  await using server = await startServer({ ROLE: 'web' });
  const [busy, patient] = [await server.register(), await server.register()];
  const ids: string[] = [];
  for (let n = 0; n < longCount; n += 1) {
    const content = chinese(30_000, n);
    ids.push((await server.published(busy, { title: `Long ${n}`, content, language: 'zh' })).id);
  }
  const { connection, db, log } = server.services;
  await using pipeline = startOutbox({ connection, db, log, subscribers, concurrency: 4 });
  const isOf = async (name: string) =>
    (await configurationsOf(server, ids)).filter((one) => one === name).length === longCount;
  await until('all long ones are indexed', () => isOf('simple'));
  // None of the long ones can be done, however fast they are.
  const holder = new pg.Client(connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from article_search where article_id = any($1) for update', [ids]);
  for (const id of ids) await setLanguage(server, busy, id, 'en');
  const { id } = await server.published(patient, { title: 'Zanzibar', language: 'en' });
  pipeline.wake();
  const found = async () => idsOf(await hits(server, { q: 'zanzibar' })).includes(id);
  await until('the short one is found', found);
  // It did not wait for the time-out of a long one's lock either.
  const failed =
    'select last_error from graphile_worker._private_jobs where last_error is not null';
  assert.deepEqual((await holder.query(failed)).rows, []);
  await holder.query('rollback');
  await holder.end();
  // Two changes of one article: the later one stays.
  const [twice = '', ...others] = ids;
  await setLanguage(server, busy, twice, 'de');
  await setLanguage(server, busy, twice, 'fr');
  await until('nothing waits', async () => (await countWaiting(server)) === 0);
  assert.deepEqual(await configurationsOf(server, [twice]), ['french']);
  assert.deepEqual(new Set(await configurationsOf(server, others)), new Set(['english']));
});
