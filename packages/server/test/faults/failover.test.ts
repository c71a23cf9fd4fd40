// Several hosts in DATABASE_URL: the primary hangs or dies, a real standby takes over, and nothing is lost.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openReplicated } from '../replicated.ts';
import type { Cluster, Replicated } from '../replicated.ts';
import { until } from '../throw-away-database.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { ownPort } from '../own-port.ts';

const timeout = 240_000;
const writersAtOnce = 4;

let replicated: Replicated;
let first: Cluster;
let second: Cluster;
let dataDir: string;
let server: ServerProcess;
let baseUrl: string;
let thirdPort: number;

before(async () => {
  replicated = await openReplicated();
  first = await replicated.primary('first');
  second = await replicated.standbyOf(first, 'second', true);
  thirdPort = await ownPort();
  dataDir = await mkdtemp(join(tmpdir(), 'colophon-failover-'));
  const port = String(await ownPort('::1'));
  baseUrl = `http://localhost:${port}`;
  const hosts = [first.port, second.port, thirdPort].map((one) => `127.0.0.1:${one}`).join(',');
  server = startProcess(dataDir, {
    DATABASE_URL: `postgres://postgres@${hosts}/postgres`,
    DATA_DIR: dataDir,
    PORT: port,
    LIMITS: 'off',
  });
  await server.ready(baseUrl);
});

after(async () => {
  server.kill('SIGKILL');
  await server.ended;
  await replicated[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(
  path: string,
  body: object,
  key: string,
  token?: string,
): Promise<Response | undefined> {
  return fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => undefined);
}

interface Attempt {
  readonly key: string;
  readonly id: string | undefined;
}

/** Writes until it is stopped. Every answer is 201, or one that asks for a retry. */
function startWriters(token: string) {
  const attempts: Attempt[] = [];
  let acknowledged = 0;
  let stopped = false;
  const writer = async () => {
    while (!stopped) {
      const key = crypto.randomUUID();
      const response = await send('/v1/articles', { title: key, content: 'Text.' }, key, token);
      if (response !== undefined)
        assert.ok([201, 503].includes(response.status), await response.clone().text());
      const id =
        response?.status === 201 ? ((await response.json()) as { id: string }).id : undefined;
      if (id !== undefined) acknowledged += 1;
      attempts.push({ key, id });
    }
  };
  const writers = Promise.all(Array.from({ length: writersAtOnce }, writer));
  return {
    /** Waits for so many further writes that were acknowledged. */
    further: async (count: number) => {
      const goal = acknowledged + count;
      await until(`${count} further writes are acknowledged`, () => acknowledged >= goal);
    },
    stop: async () => {
      stopped = true;
      await writers;
      return attempts;
    },
  };
}

/** Every acknowledged write is there once, and every unknown one becomes one by its key. */
async function assertWhole(attempts: readonly Attempt[], token: string, primary: Cluster) {
  for (const { key, id } of attempts) {
    if (id !== undefined) continue;
    await until('the retry is answered', async () => {
      const response = await send('/v1/articles', { title: key, content: 'Text.' }, key, token);
      return response?.status === 201;
    });
  }
  const stored = await replicated.ask<{ readonly id: string; readonly title: string }>(
    primary,
    `select a.id, c.title
      from articles a
        join revisions r on r.bucket = a.bucket and r.article_id = a.id
        join contents c on c.bucket = r.bucket and c.hash = r.content_hash
      order by c.title collate "C"`,
  );
  const titles = stored.map(({ title }) => title);
  const wanted = new Set(attempts.map(({ key }) => key));
  assert.deepEqual(
    titles.filter((title) => wanted.has(title)),
    [...wanted].toSorted(),
  );
  const ids = new Map(stored.map(({ id, title }) => [title, id]));
  for (const { key, id } of attempts) if (id !== undefined) assert.equal(ids.get(key), id);
}

/** The ports of the new primaries that the log names. */
function moves(): readonly number[] {
  const lines = server.log.filter(({ msg }) => msg?.startsWith('Another host of DATABASE_URL'));
  return lines.map(({ primary }) => Number(String(primary).split(':')[1]));
}

async function signUp(name: string): Promise<string> {
  const response = await send('/v1/humans', { username: name }, crypto.randomUUID());
  assert.equal(response?.status, 201);
  return ((await response.json()) as { token: string }).token;
}

test(
  'the primary hangs, dies, and comes back: writes go on at the new one, each once',
  { timeout },
  async (t) => {
    const token = await signUp('an-author');

    const hanging = startWriters(token);
    await hanging.further(40);
    await replicated.signal(first, 'SIGSTOP');
    await replicated.promote(second);
    const began = performance.now();
    await hanging.further(40);
    const hangMs = performance.now() - began;
    // The old primary answers again, and still considers itself the primary.
    await replicated.signal(first, 'SIGCONT');
    await hanging.further(40);
    await wait(2_500);
    await hanging.further(40);
    const attempts = await hanging.stop();
    await assertWhole(attempts, token, second);
    assert.deepEqual(moves(), [second.port], 'never back to the old primary');

    await replicated.postgres.stop(first.data, 'immediate');
    const third = await replicated.standbyOf(second, 'third', true, thirdPort);
    const dying = startWriters(token);
    await dying.further(40);
    await replicated.postgres.stop(second.data, 'immediate');
    await replicated.promote(third);
    const diedAt = performance.now();
    await dying.further(40);
    const deathMs = performance.now() - diedAt;
    await assertWhole(await dying.stop(), token, third);
    assert.deepEqual(moves(), [second.port, third.port], 'said although no connection was left');
    t.diagnostic(
      `ms from the promotion to the 40th write: hang ${Math.round(hangMs)}, death ${Math.round(deathMs)}`,
    );
  },
);
