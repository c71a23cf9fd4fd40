// An erasure outlives its database: killed servers, and a copy of the database that is older than the erasure.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ledgerCount } from '../ledgers.ts';
import { until } from '../throw-away-database.ts';
import { makePlace, unkept } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const run = promisify(execFile);

let place: Place;
before(async () => {
  place = await makePlace();
});
after(() => place[Symbol.asyncDispose]());

interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

async function ask(method: string, path: string, body?: object, token?: string): Promise<Told> {
  const response = await fetch(place.baseUrl + path, {
    method,
    headers: {
      ...unkept,
      'idempotency-key': crypto.randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Told['body'] };
}

async function startReady(): Promise<ServerProcess> {
  const server = place.start();
  await server.ready(place.baseUrl);
  return server;
}

async function stopServer(server: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  await server.ended;
  await until('the database ended', async () => !(await place.databaseRuns()));
}

async function anArticle(token: string): Promise<string> {
  const body = { title: 'A title', content: 'Some text.', language: 'en' };
  const { body: made } = await ask('POST', '/v1/articles', body, token);
  const path = `/v1/articles/${made['id']}/publish`;
  assert.equal((await ask('POST', path, {}, token)).status, 200);
  return made['id'] ?? '';
}

const inLedger = (id: string) => ledgerCount(join(place.dataDir, 'media'), id);

const read = (id: string) => ask('GET', `/v1/articles/${id}`);

test('erasures are kept through kill -9, and apply after an older copy of the database is put back', async () => {
  const first = await startReady();
  const { body: human } = await ask('POST', '/v1/humans', { username: 'an-author' });
  const token = human['token'] ?? '';
  const ids = [await anArticle(token), await anArticle(token), await anArticle(token)];
  const [stays = '', ...erased] = ids;
  await stopServer(first, 'SIGTERM');
  const [live, copy] = [join(place.dataDir, 'postgres'), join(place.folder, 'copy')];
  await run('cp', ['-a', live, copy]);

  // Killed in the moment of its answer, when the ledger has it.
  const second = await startReady();
  for (const id of erased) {
    const path = `/v1/articles/${id}/erase`;
    assert.equal((await ask('POST', path, { confirm: 'erase' }, token)).status, 200);
  }
  await stopServer(second, 'SIGKILL');
  for (const id of erased) assert.equal(await inLedger(id), 1);
  const third = await startReady();
  await stopServer(third, 'SIGTERM');

  await rm(live, { recursive: true });
  await run('cp', ['-a', copy, live]);
  const fourth = await startReady();
  for (const id of erased) assert.equal((await read(id)).status, 410);
  assert.equal((await read(stays)).status, 200);
  assert.ok(fourth.log.some((line) => line['erased'] === erased.length));
  const database = await place.connect();
  try {
    // All three have one text, which the one that stays still uses.
    const held = await database.query('select from revisions where held_hash is not null');
    assert.equal(held.rowCount, 1);
    assert.equal((await database.query('select from contents')).rowCount, 1);
  } finally {
    await database.end();
  }
  await stopServer(fourth, 'SIGTERM');

  // What the database knows as erased is left alone.
  const fifth = await startReady();
  assert.ok(!fifth.log.some((line) => line['erased'] !== undefined));
  assert.equal((await read(erased[0] ?? '')).status, 410);
});
