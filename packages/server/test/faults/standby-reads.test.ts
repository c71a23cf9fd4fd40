// Public reads from a streaming standby: never older than an answered write, and at the primary when it fails.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDatabase, openReplicas, orOverServers, sql } from '#database';
import type { Tx } from '#database';
import { unavailable } from '#http';
import { openReplicated } from '../replicated.ts';
import type { Cluster, Replicated } from '../replicated.ts';
import { until } from '../throw-away-database.ts';
import { startProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { ownPort } from '../own-port.ts';

const timeout = 240_000;

let replicated: Replicated;
let primary: Cluster;
let standby: Cluster;
let stranger: Cluster;
let dataDir: string;
let server: ServerProcess;
let baseUrl: string;

const urlOf = ({ port }: Cluster) => `postgres://postgres@127.0.0.1:${port}/postgres`;

before(async () => {
  replicated = await openReplicated();
  primary = await replicated.primary('primary');
  standby = await replicated.standbyOf(primary, 'standby', false);
  stranger = await replicated.primary('stranger');
  dataDir = await mkdtemp(join(tmpdir(), 'colophon-standby-'));
  const port = String(await ownPort('::1'));
  baseUrl = `http://localhost:${port}`;
  server = startProcess(dataDir, {
    DATABASE_URL: urlOf(primary),
    REPLICA_URLS: `${urlOf(standby)}, ${urlOf(stranger)}`,
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

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

async function ask(method: string, path: string, body?: object, token?: string): Promise<Answered> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': crypto.randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answered['body'] };
}

/** Statements by where they were answered. */
async function counts(): Promise<Record<'standby' | 'behind' | 'failed', number>> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const count = (outcome: string) =>
    Number(new RegExp(`^colophon_replica_reads_${outcome}_total (\\d+)$`, 'm').exec(text)?.[1]);
  return { standby: count('standby'), behind: count('behind'), failed: count('failed') };
}

const linesWith = (sentence: string) => server.log.filter(({ msg }) => msg?.startsWith(sentence));

async function publish(token: string): Promise<string> {
  const text = { title: 'A title', content: 'The first text.', language: 'en' };
  const { body } = await ask('POST', '/v1/articles', text, token);
  const id = body['id'] ?? '';
  assert.equal((await ask('POST', `/v1/articles/${id}/publish`, {}, token)).status, 200);
  return id;
}

/** Changes a profile and reads it at once, without a token: the answer must be the change. */
async function changeAndRead(id: string, token: string, turn: number): Promise<boolean> {
  const display_name = `Name ${turn}`;
  assert.equal((await ask('PATCH', `/v1/principals/${id}`, { display_name }, token)).status, 200);
  const { body } = await ask('GET', `/v1/principals/${id}`);
  return body['display_name'] === display_name;
}

test(
  'reads come from the standby, and are never older than an answered write',
  { timeout },
  async (t) => {
    await until('the standby is used', () => linesWith('Public reads use this standby').length > 0);
    const accounts = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async (name) => {
        const { body } = await ask('POST', '/v1/humans', { username: `author-${name}` });
        return { id: body['id'] ?? '', token: body['token'] ?? '' };
      }),
    );
    const stale = await Promise.all(
      accounts.map(async ({ id, token }) => {
        let wrong = 0;
        for (let turn = 0; turn < 25; turn += 1)
          if (!(await changeAndRead(id, token, turn))) wrong += 1;
        return wrong;
      }),
    );
    assert.deepEqual(stale, [0, 0, 0, 0]);
    // Without writes the standby soon has replayed everything.
    const earlier = await counts();
    t.diagnostic(`during writes: ${JSON.stringify(earlier)}`);
    let asked = 0;
    // A busy machine may leave the standby out for a while. Requests for the metrics that come soon after each
    // other get the same figures.
    await until('most reads are answered by the standby', async () => {
      for (let turn = 0; turn < 20; turn += 1)
        await ask('GET', `/v1/principals/${accounts[0]?.id}`);
      asked += 20;
      const later = await counts();
      return later.standby - earlier.standby >= asked / 2;
    });
  },
);

test('503 for a write at a server that has become a standby', async () => {
  const onError = () => undefined;
  const { connection } = standby;
  await using db = openDatabase({ connection, readers: 1, writers: 1, onError });
  const write = sql`update principals set id = id where false`;
  for (const work of [
    (tx: Tx) => tx.run(write),
    (tx: Tx) => tx.first(sql`select 1 as one`),
    async (tx: Tx) => void tx.run(write),
  ]) {
    const attempt = db.transaction<unknown>(work);
    await assert.rejects(attempt, (error) => unavailable(error)?.problem === 'unavailable');
  }
});

test('a standby of a distributed database gets statements in their form for several servers', async () => {
  const { connection } = primary;
  const onError = () => undefined;
  await using db = openDatabase({ connection, readers: 1, writers: 1, onError });
  await using replicas = openReplicas({
    primary: db,
    connections: [standby.connection],
    sharded: true,
    changed: onError,
  });
  const other = () => sql<{ form: string }>`select 'of several servers' as form`;
  const statement = orOverServers(sql<{ form: string }>`select 'of one server' as form`, other);
  let form: string | undefined;
  // Until then the primary answers, which is opened as one server here.
  await until('the standby answers', async () => {
    form = (await replicas.begin().first(statement))?.form;
    return replicas.counts().standby > 0;
  });
  assert.equal(form, 'of several servers');
});

test('a standby that reads from standbys of the workers of Citus is left out', async () => {
  const { connection } = primary;
  const onError = () => undefined;
  await using db = openDatabase({ connection, readers: 1, writers: 1, onError });
  const said: (string | undefined)[] = [];
  await using replicas = openReplicas({
    primary: db,
    connections: [{ ...standby.connection, options: '-c citus.use_secondary_nodes=always' }],
    sharded: true,
    changed: (_name, reason) => said.push(reason),
  });
  await until('something is said of it', () => said.length > 0);
  assert.match(said[0] ?? 'used', /^It reads from standbys of the workers, which may be behind: /);
  assert.deepEqual(await replicas.begin().first(sql`select 1 as one`), { one: 1 });
  assert.equal(replicas.counts().standby, 0);
});

test('a database that is not a standby of the primary is never read', { timeout }, () => {
  // A busy machine may leave the other one out for a while.
  const [line, ...more] = linesWith('This standby is left out').filter(
    (one) => one['standby'] === `127.0.0.1:${stranger.port}`,
  );
  assert.equal(line?.['reason'], 'It is not a standby.');
  assert.deepEqual(more, [], 'said once');
});

test('while the replay pauses, every read is answered by the primary', { timeout }, async () => {
  const { body } = await ask('POST', '/v1/humans', { username: 'author-five' });
  const token = body['token'] ?? '';
  await replicated.ask(standby, 'select pg_wal_replay_pause()');
  const id = await publish(token);
  for (let turn = 0; turn < 30; turn += 1) {
    const { status, body: article } = await ask('GET', `/v1/articles/${id}`);
    assert.equal(status, 200, JSON.stringify(article));
  }
  await replicated.ask(standby, 'select pg_wal_replay_resume()');
  const { standby: before } = await counts();
  await until('the standby is read again', async () => {
    await ask('GET', `/v1/articles/${id}`);
    return (await counts()).standby > before;
  });
});

test('a standby that hangs or dies costs no read, and is used again', { timeout }, async () => {
  const { body } = await ask('POST', '/v1/humans', { username: 'author-six' });
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push(await publish(body['token'] ?? ''));
  const used = () => linesWith('Public reads use this standby').length;
  // Those of one turn share a statement, even if it fails on the standby and the primary answers.
  const read = async () => {
    const asked = [...ids, ...ids];
    const answers = await Promise.all(asked.map((id) => ask('GET', `/v1/articles/${id}`)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.deepEqual(
      answers.map((answer) => answer.body['id']),
      asked,
    );
  };
  for (const [down, up] of [
    [() => replicated.signal(standby, 'SIGSTOP'), () => replicated.signal(standby, 'SIGCONT')],
    [
      () => replicated.postgres.stop(standby.data, 'immediate'),
      () => replicated.postgres.start(standby.data, standby.port),
    ],
  ] as const) {
    const uses = used();
    await down();
    await read();
    await read();
    await up();
    await until('the standby is used again', () => used() > uses);
    await read();
  }
});
