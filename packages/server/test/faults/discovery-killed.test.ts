// kill -9 of the worker in the middle of each step of discovery, under writes: what is derived is what a rebuild makes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { comment } from '../comments.ts';
import { assertSame, databaseUrlOf, rebuildDerived, snapshotOf } from '../derived-tables.ts';
import { rareWord } from '../discovery-words.ts';
import { link, untilSettled } from '../edges.ts';
import { startServer } from '../harness.ts';
import type { Human, Response, TestServer } from '../harness.ts';
import { act, aModerator } from '../moderators.ts';
import { askImage } from '../og-images.ts';
import { until } from '../throw-away-database.ts';
import { drawSample } from './sampled.ts';
import { seed } from '../seed.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** Each table that a step writes. */
const tables = [
  'article_search',
  'search_words',
  'article_topics',
  'topics',
  'article_trends',
  'article_supporters',
  'sitemap_entries',
  'sitemap_files',
  'og_images',
  'comment_search',
  'principal_search',
] as const;
/** The worker is killed while it waits for one of them, in the middle of the step. */
const steps = drawSample(tables, 2);

const patienceMs = 600_000;
/** So many leave no derived table empty. */
const roundsLeast = 8;
/** Between two rounds of writes: not faster than images are drawn. */
const pauseMs = 300;
/** Images are drawn one at a time, and after everything else. */
const drawingMs = 600_000;

let server: TestServer;
let owner: pg.Client;
let worker: ServerProcess | undefined;
/** Works beside the other one, once no worker is killed any more. */
let second: ServerProcess | undefined;
let people: readonly Human[];
let moderator: Human;

before(async () => {
  server = await startServer({ ROLE: 'web' });
  owner = new pg.Client(server.services.connection);
  await owner.connect();
  people = await Promise.all(Array.from({ length: 4 }, () => server.register()));
  moderator = await aModerator(server);
});
after(async () => {
  for (const one of [worker, second]) one?.kill('SIGKILL');
  await Promise.all([worker?.ended, second?.ended]);
  await owner.end();
  await server[Symbol.asyncDispose]();
});

function startWorker(): ServerProcess {
  const { dataDir, baseUrl } = server.services.config;
  return startProcess(dataDir, {
    ROLE: 'worker',
    LIMITS: 'off',
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrlOf(server),
  });
}

async function bodyOf(answer: Promise<Response>): Promise<Response['body']> {
  const { status, body } = await answer;
  assert.ok(status < 300, JSON.stringify(body));
  return body;
}

interface Written {
  readonly id: string;
  readonly author: Human;
  revisionId: string;
}

const personAt = (index: number) => people[index % people.length] as Human;

function publish(count: number): Promise<Response['body']> {
  return server.published(personAt(count), {
    title: `On ${rareWord(`title ${count}`)} hedgehogs`,
    content: `Hedgehogs, and what they did on day ${count}.`,
    metadata: { topics: ['Everywhere', `Topic ${count % 5}`] },
  });
}

/** Another text under other topics. */
async function retopic(one: Written, count: number): Promise<void> {
  const { token } = one.author;
  const body = {
    title: `Again ${rareWord(`again ${count}`)}`,
    metadata: { topics: [`Topic ${(count + 2) % 5}`, `Late ${count % 3}`] },
    expected_revision_id: one.revisionId,
  };
  const path = `/v1/articles/${one.id}`;
  const revised = await bodyOf(server.ask('POST', `${path}/revisions`, { token, key: true, body }));
  await bodyOf(server.ask('POST', `${path}/publish`, { token, key: true, body: {} }));
  one.revisionId = revised.revision_id;
}

/** What takes an article off the lists, and what brings it back. */
async function takeAway(one: Written, count: number): Promise<void> {
  const { token } = one.author;
  const asked = (visibility: string) =>
    bodyOf(server.ask('PATCH', `/v1/articles/${one.id}`, { token, body: { visibility } }));
  const target = { target_type: 'article', target_id: one.id } as const;
  await asked('unlisted');
  if (count % 3 === 0) await asked('public');
  await act(server, moderator, { ...target, action: 'hide' });
  if (count % 2 === 0) await act(server, moderator, { ...target, action: 'restore' });
}

async function followAndRename(count: number): Promise<void> {
  const [follower, followee] = [personAt(count), personAt(count + 1)];
  const { token } = follower;
  const body = { principal_id: followee.id };
  await bodyOf(server.ask('POST', '/v1/follows', { token, body }));
  if (count % 4 === 3) await bodyOf(server.ask('DELETE', `/v1/follows/${followee.id}`, { token }));
  const named = { display_name: `Person ${rareWord(`name ${count}`)}` };
  await bodyOf(server.ask('PATCH', `/v1/principals/${follower.id}`, { token, body: named }));
}

/** Writes of every kind, one after the other, until it is told to stop. */
function writeOn() {
  let stopped = false;
  let count = 0;
  const written: Written[] = [];
  const earlier = (back: number) => written.at(-1 - (back % written.length)) as Written;
  const round = async () => {
    const author = personAt(count);
    const made = await publish(count);
    written.push({ id: made.id, author, revisionId: made.revision_id });
    const open = earlier(0);
    const [one, other] = [personAt(count + 1), personAt(count + 2)];
    const { id } = await comment(server, one, open.id, { content: `Remark ${count} on it.` });
    await comment(server, other, open.id);
    if (count % 3 === 0)
      await bodyOf(server.ask('DELETE', `/v1/comments/${id}`, { token: one.token }));
    await followAndRename(count);
    if (count % 2 === 0) await retopic(earlier(0), count);
    if (count > 0 && earlier(1).author.id !== author.id)
      await link(server, author, [open, earlier(1)]);
    if (count % 4 === 3) await takeAway(earlier(3), count);
    count += 1;
  };
  const whole = (async () => {
    while (!stopped || count < roundsLeast) {
      await round();
      await wait(pauseMs);
    }
  })();
  return async () => {
    stopped = true;
    await whole;
    return count;
  };
}

/** Kills the worker while one of its transactions waits for the table. */
async function killIn(table: string): Promise<void> {
  await owner.query('begin');
  await owner.query(`lock table ${table} in exclusive mode`);
  worker ??= startWorker();
  await until(
    `the worker writes ${table}`,
    async () => {
      const { rows } = await owner.query(
        `select from pg_locks
        where database = (select oid from pg_database where datname = current_database())
          and relation = $1::regclass and not granted`,
        [table],
      );
      return rows.length > 0;
    },
    patienceMs,
  );
  worker.kill('SIGKILL');
  assert.equal((await worker.ended).signal, 'SIGKILL');
  worker = startWorker();
  await owner.query('rollback');
}

/** The image of an article whose author has another name by now is drawn again when it is requested. */
async function requestImages(): Promise<void> {
  const { rows } = await owner.query<{ id: string }>('select id from articles where listed');
  for (const { id } of rows) assert.equal((await askImage(server, id)).status, 200);
}

async function countOf(text: string): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(text);
  return Number(rows[0]?.count);
}

test(
  `${steps.length} kills, one in each step, while articles, comments, follows and topics change`,
  { timeout: 900_000 },
  async (t) => {
    t.diagnostic(`SEED=${seed}: ${steps.join(', ')}`);
    const stop = writeOn();
    for (const table of steps) await killIn(table);
    second = startWorker();
    const rounds = await stop();
    await untilSettled(server, drawingMs);
    for (const one of [worker, second]) {
      one?.kill('SIGTERM');
      assert.equal((await one?.ended)?.code, 0);
    }
    const parked =
      'select count(*) from graphile_worker._private_jobs where attempts >= max_attempts';
    assert.equal(await countOf(parked), 0);
    const undrawn =
      'select count(*) from articles a where listed and not exists (select from og_images o where o.article_id = a.id)';
    assert.equal(await countOf(undrawn), 0);
    await requestImages();
    const derived = await snapshotOf(owner);
    await rebuildDerived(server);
    const fresh = await snapshotOf(owner);
    for (const [table, rows] of Object.entries(fresh))
      assert.ok(rows.length > 0, `${table} is empty`);
    assertSame(derived, fresh);
    const listed = await countOf('select count(*) from articles where listed');
    assert.equal(fresh['sitemap_entries']?.length, listed);
    assert.equal(fresh['article_search']?.length, listed);
    t.diagnostic(`${rounds} rounds of writes, ${listed} articles listed at the end`);
  },
);
