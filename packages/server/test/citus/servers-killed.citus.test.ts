// Servers of a cluster are killed and suspended under load: nothing acknowledged is lost, nothing happens twice.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { cloneDatabase } from '../database.ts';
import type { TestDatabase } from '../database.ts';
import { startHistory } from '../faults/history.ts';
import { checkHistory, checkInvariants, checkUnknown } from '../faults/invariants.ts';
import { wideLimits } from '../faults/limits.ts';
import { countLogged, countUnindexed } from '../faults/messages-and-leaves.ts';
import { startProcess } from '../faults/server-process.ts';
import type { ServerProcess } from '../faults/server-process.ts';
import { startWriter } from '../faults/writer.ts';
import type { Person, Writer } from '../faults/writer.ts';
import { ownPort } from '../own-port.ts';
import { until } from '../throw-away-database.ts';
import { clusterProcess } from './cluster-process.ts';
import type { ClusterProcess } from './cluster-process.ts';
import { severalServers } from './one-server.ts';
import { countOnWorkers, workersOf } from './workers.ts';

const clients = 6;
const between = 40;
const suspendedMs = 10_000;
/** A request waits for a lock and for its statement, and is then answered with 503. */
const boundMs = 60_000;

const history = startHistory();
let database: TestDatabase;
let folder: string;
let server: ServerProcess;
let writer: Writer;
let baseUrl: string;

async function register(name: string): Promise<Person | undefined> {
  const response = await fetch(`${baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name }),
    signal: AbortSignal.timeout(boundMs),
  });
  const body = (await response.json()) as Person;
  return response.status === 201 ? body : undefined;
}

const someName = () => `after-${crypto.randomUUID().slice(0, 8).replaceAll(/[01]/g, 'x')}z`;

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function setUp(): Promise<void> {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'colophon-cluster-'));
  const { host, port, user, database: name } = database.connection;
  const own = String(await ownPort('::1'));
  baseUrl = `http://localhost:${own}`;
  server = startProcess(folder, {
    DATABASE_URL: `postgres://${user}@${host}:${port}/${name}`,
    DATA_DIR: folder,
    PORT: own,
    LIMITS: await wideLimits(folder),
  });
  await server.ready(baseUrl);
  const people: Person[] = [];
  for (let index = 0; index < clients; index += 1) {
    const person = await register(someName());
    assert.ok(person);
    people.push(person);
  }
  writer = startWriter(baseUrl, history, people);
}

before(async () => {
  if (severalServers.skip === false) await setUp();
});

after(async () => {
  if (severalServers.skip !== false) return;
  server.kill('SIGKILL');
  await server.ended;
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Asks for health and a list all the time, and writes down the states and the slowest answer. */
function watch() {
  const seen = new Set<string>();
  let slowestMs = 0;
  let stopped = false;
  const look = async (path: string) => {
    while (!stopped) {
      const began = performance.now();
      const answer = await fetch(baseUrl + path, { signal: AbortSignal.timeout(boundMs) }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer();
      slowestMs = Math.max(slowestMs, performance.now() - began);
      seen.add(`${path} ${answer?.status ?? 'none'}`);
      await wait(100);
    }
  };
  const looks = Promise.all(['/healthz', '/readyz', '/v1/feed'].map(look));
  return async () => {
    stopped = true;
    await looks;
    return { seen: [...seen].toSorted(), slowestMs };
  };
}

async function writeOn(): Promise<void> {
  const target = history.of('ok').length + between;
  writer.resume();
  await until(
    'clients are in mid-write',
    () => history.of('ok').length >= target && writer.inFlight() >= clients / 2,
  );
}

/** Does the fault in the middle of writes, and checks what is there when the service is back. */
async function survive(fault: () => Promise<void>): Promise<string> {
  await writeOn();
  writer.pause();
  const stop = watch();
  await fault();
  const began = performance.now();
  await until('it serves', () => register(someName()).then(Boolean, () => false));
  const backMs = performance.now() - began;
  await until('every call knows its fate', () => writer.inFlight() === 0);
  const { seen, slowestMs } = await stop();
  assert.ok(seen.includes('/healthz 200') && !seen.includes('/healthz none'), seen.join(', '));
  assert.ok(!seen.some((one) => one.endsWith(' 500')), seen.join(', '));
  assert.ok(slowestMs < boundMs, `${slowestMs} ms`);
  const gids = `select gid from pg_prepared_xacts where database = current_database()`;
  const left = await countOnWorkers(database.connection.database, { text: gids, values: [] });
  const { whole, absent } = await withClient(async (client) => {
    await client.query('select recover_prepared_transactions()');
    return checkUnknown(client, history);
  });
  return `back after ${Math.round(backMs)} ms; slowest answer ${Math.round(slowestMs)} ms; ${left} prepared transactions left; unknown: ${whole} whole, ${absent} absent; ${seen.join(', ')}`;
}

async function killAndStart(one: ClusterProcess): Promise<void> {
  one.kill();
  await wait(2_000);
  await one.start();
}

async function suspendAndResume(one: ClusterProcess): Promise<void> {
  await one.suspend();
  await wait(suspendedMs);
  await one.resume();
}

test('a worker that is killed and starts again', severalServers, async (t) => {
  for (const worker of workersOf(process.env)) {
    const one = await clusterProcess(worker);
    t.diagnostic(await survive(() => killAndStart(one)));
  }
});

test('a worker that is suspended', severalServers, async (t) => {
  const one = await clusterProcess(workersOf(process.env).at(-1) ?? {});
  t.diagnostic(await survive(() => suspendAndResume(one)));
});

test('the coordinator is killed and starts again', severalServers, async (t) => {
  const one = await clusterProcess({ ...database.connection });
  t.diagnostic(await survive(() => killAndStart(one)));
});

test(
  'at the end every acknowledged write is there once, and has had its effects',
  severalServers,
  async (t) => {
    await writeOn();
    await writer.stop();
    await withClient(async (client) => {
      await client.query('select recover_prepared_transactions()');
      await checkHistory(client, history);
      await checkInvariants(client);
      await until('everything is indexed', async () => (await countUnindexed(client)) === 0);
      const published = history.of('ok', 'publish').length;
      await until(
        'everything is in the log',
        async () => (await countLogged(client, history)) === published,
      );
    });
    const failed = server.log.filter(({ level }) => Number(level) >= 60);
    assert.deepEqual(failed, []);
    t.diagnostic(
      `acknowledged ${history.of('ok').length}, without an answer ${history.entries.filter((one) => one.wasUnknown).length}, sent again ${writer.counters.repeats}`,
    );
  },
);
