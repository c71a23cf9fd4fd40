// The server is killed while it makes an export, and loses its database: each article is in the archive once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { bucketOf, newId } from '#lib/id';
import { effort } from '../effort.ts';
import { extractFiles, jsonOf } from '../exports.ts';
import type { Human } from '../harness.ts';
import { insertPublished } from '../published-rows.ts';
import type { PublishedRow } from '../published-rows.ts';
import { until } from '../throw-away-database.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

/** More than a page of the index has. */
const works = effort(1_005, 10_000);
/** Of one article, each with a text of about a mebibyte: far more than fits in memory together. */
const longRevisions = effort(32, 200);
const MiB = 1024 * 1024;

let place: Place;
let server: ServerProcess;
let client: pg.Client;
let human: Human;
let longId: string;

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(place.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${human?.token}`,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      connection: 'close',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

/** A revision whose text is its own hash, repeated. */
function rowOf(id: string, revision: string, newest: string, times: number): PublishedRow {
  const content = `${createHash('md5').update(revision).digest('hex')} `;
  const names = { hash: `sha256:${revision}`, title: `Title ${revision}`, metadata: {} };
  return { id, revision, previous: null, newest, content, times, ...names };
}

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Starts a new maximum of the resident memory, and returns the present one. */
async function resetPeak(): Promise<number> {
  await writeFile(`/proc/${server.pid}/clear_refs`, '5');
  return peakBytes();
}

before(async () => {
  place = await makePlace();
  server = place.start();
  await server.ready(place.baseUrl);
  client = await place.connect();
  const registered = await fetch(`${place.baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'takes-all' }),
  });
  human = (await registered.json()) as Human;
  const bucket = bucketOf(human.id);
  const plain = Array.from({ length: works }, () => {
    const revision = newId(bucket);
    return rowOf(newId(bucket), revision, revision, 60);
  });
  await insertPublished(client, human, plain);
  longId = newId(bucket);
  const revisions = Array.from({ length: longRevisions }, () => newId(bucket));
  const newest = revisions.at(-1) ?? '';
  const long = revisions.map((revision) => rowOf(longId, revision, newest, 31_000));
  await insertPublished(client, human, long);
});

after(async () => {
  await client.end();
  await place[Symbol.asyncDispose]();
});

const countDone = async (id: string): Promise<number> =>
  (await ask('GET', `/v1/exports/${id}`)).progress.done;

async function isReady(id: string): Promise<boolean> {
  const { status } = await ask('GET', `/v1/exports/${id}`);
  assert.notEqual(status, 'failed');
  return status === 'ready';
}

async function download(id: string): Promise<Buffer> {
  const response = await fetch(`${place.baseUrl}/v1/exports/${id}/content`, {
    headers: { authorization: `Bearer ${human.token}` },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

async function assertWhole(id: string): Promise<void> {
  const files = await extractFiles(await download(id));
  const names = [...files.keys()];
  assert.equal(names.filter((name) => name.startsWith('articles/')).length, works + 1);
  assert.equal(names.filter((name) => name.startsWith('data/articles/')).length, works + 1);
  assert.equal(names.filter((name) => name.startsWith('proofs/')).length, works + longRevisions);
  const { revisions } = jsonOf(files, `data/articles/${longId}.json`);
  assert.equal(revisions.length, longRevisions);
  for (const { content } of revisions) assert.equal(content.length, 31_000 * 33);
  const pages = Math.ceil((works + 1) / 1_000);
  assert.ok(names.includes(`index-${pages}.html`) && !names.includes(`index-${pages + 1}.html`));
}

/**
 * Begins an export and keeps it from its texts as soon as some are in the archive. On a busy machine it may be whole by
 * then: another one is begun. Returns how many articles are in it.
 */
async function holdInTheMiddle(): Promise<{ readonly id: string; readonly done: number }> {
  for (;;) {
    const { id } = await ask('POST', '/v1/exports', {});
    await until('some articles are in the archive', async () => (await countDone(id)) > 0);
    await client.query('begin; lock table contents in access exclusive mode');
    const done = await countDone(id);
    if (done <= works) return { id, done };
    await client.query('rollback');
  }
}

test('killed in the middle, and then without its database: each article is there once', async () => {
  const { id, done } = await holdInTheMiddle();
  server.kill('SIGKILL');
  await server.ended;
  await client.end();
  server = place.start();
  await server.ready(place.baseUrl);
  client = await place.connect();
  const kept = await countDone(id);
  assert.ok(kept >= done, `${kept} articles were kept of ${done}`);
  await until('it goes on', async () => (await countDone(id)) > kept || (await isReady(id)));
  await client.query(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database()
      and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  await until('it is ready', () => isReady(id).catch(() => false));
  await assertWhole(id);
});

test('making and sending it takes memory for pieces, not for the archive', async () => {
  const before = await resetPeak();
  const { id } = await ask('POST', '/v1/exports', {});
  await until('it is ready', () => isReady(id));
  const made = (await peakBytes()) - before;
  assert.ok(made < 128 * MiB, `making it took ${Math.round(made / MiB)} MiB`);
  const rested = await resetPeak();
  await download(id);
  const sent = (await peakBytes()) - rested;
  assert.ok(sent < 48 * MiB, `sending it took ${Math.round(sent / MiB)} MiB`);
});
