// kill -9 of the server and of its database under load: nothing acknowledged is lost, nothing happens twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { startHistory } from './history.ts';
import { checkHistory, checkInvariants, checkUnknown } from './invariants.ts';
import { checkMessages, countLogged, countUnindexed } from './messages-and-leaves.ts';
import { wideLimits } from './limits.ts';
import { makePlace } from './server-process.ts';
import { summaryOf } from './recovery-times.ts';
import type { Place, ServerProcess } from './server-process.ts';
import { startWriter } from './writer.ts';
import type { Person, Writer } from './writer.ts';

const clients = 8;
/** Answered calls between two kills, at least and at most. */
const between = [effort(30, 180, 180), effort(90, 460, 460)] as const;

const webKills = effort(1, 50, 5);
const kills = effort(2, 50, 5);
const databaseKills = effort(1, 30, 3);
const acknowledgedLeast = effort(200, 100_000, 5_000);
const repeatedLeast = effort(10, 50_000, 300);

const history = startHistory();
const readyMs: number[] = [];
const unknown = { whole: 0, absent: 0 };
let place: Place;
let server: ServerProcess;
let writer: Writer;
let limits: string;

async function start(role: string): Promise<void> {
  // As it is installed: the time until it is ready counts.
  server = place.start({ LIMITS: limits, ROLE: role });
  readyMs.push(await server.ready(place.baseUrl));
}

async function register(index: number): Promise<Person> {
  const response = await fetch(`${place.baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `writer-${'abcdefgh'.charAt(index)}-person` }),
  });
  assert.equal(response.status, 201);
  return (await response.json()) as Person;
}

/** Lets the clients write for a while and comes back in the middle of it. */
async function writeOn(): Promise<void> {
  const [least, most] = between;
  const target = history.of('ok').length + least + Math.floor(Math.random() * (most - least));
  writer.resume();
  await until(
    'clients are in mid-write',
    () => history.of('ok').length >= target && writer.inFlight() >= clients / 2,
  );
}

/** A write without an answer is whole or absent before its retry. */
async function inspect(): Promise<void> {
  await until('every call knows that it was cut', () => writer.inFlight() === 0);
  const client = await place.connect();
  const { whole, absent } = await checkUnknown(client, history);
  unknown.whole += whole;
  unknown.absent += absent;
  await client.end();
}

async function killServer(role: string): Promise<void> {
  await writeOn();
  writer.pause();
  server.kill('SIGKILL');
  assert.equal((await server.ended).signal, 'SIGKILL');
  await start(role);
  await inspect();
}

/** The server stops with exit code 1 when its database ends; its supervisor starts it again. */
async function killDatabase(): Promise<number> {
  await writeOn();
  const pid = await place.postmasterPid();
  const killedAt = performance.now();
  writer.pause();
  process.kill(pid, 'SIGKILL');
  const { code } = await server.ended;
  const endedMs = performance.now() - killedAt;
  assert.equal(code, 1);
  assert.ok(
    server.log.some((line) => line.reason === 'the database ended'),
    `the log says why the server stopped: ${server.complaint()}`,
  );
  await start('all');
  await inspect();
  return endedMs;
}

before(async () => {
  place = await makePlace();
  limits = await wideLimits(place.folder);
  await start('web');
  const people = await Promise.all(Array.from({ length: clients }, (_, index) => register(index)));
  writer = startWriter(place.baseUrl, history, people);
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

test('kills of a server without a pipeline: each publication leaves exactly one message', async (t) => {
  for (let kill = 0; kill < webKills; kill += 1) await killServer('web');
  await writeOn();
  writer.pause();
  await until('every call is answered', () => writer.inFlight() === 0);
  const client = await place.connect();
  await checkInvariants(client);
  const messages = await checkMessages(client, history);
  await client.end();
  t.diagnostic(`${messages} messages, one for each publication`);
});

test('kills of a server with its pipeline at work', async () => {
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  await start('all');
  for (let kill = 0; kill < kills; kill += 1) await killServer('all');
});

test('kills of the database: the server ends with 1 and says so, the next start recovers', async (t) => {
  const endedMs: number[] = [];
  for (let kill = 0; kill < databaseKills; kill += 1) endedMs.push(await killDatabase());
  t.diagnostic(`the server had ended after its database: ${summaryOf(endedMs)} ms`);
});

test('at the end every acknowledged write is there exactly once, and every message has had its effect', async (t) => {
  await writeOn();
  const isEnough = () =>
    history.of('ok').length >= acknowledgedLeast && writer.counters.repeats >= repeatedLeast;
  await until('enough was written', isEnough, 7_200_000);
  await writer.stop();
  const client = await place.connect();
  await checkHistory(client, history);
  await checkInvariants(client);
  await until(
    'everything published is indexed',
    async () => (await countUnindexed(client)) === 0,
    600_000,
  );
  const published = history.of('ok', 'publish').length;
  await until(
    'everything published is in the log',
    async () => (await countLogged(client, history)) === published,
    600_000,
  );
  await client.end();
  const { entries } = history;
  const count = (kind: Parameters<typeof history.of>[1]) => history.of('ok', kind).length;
  const slowest = Math.max(...readyMs.slice(1));
  assert.ok(slowest < 120_000, `the slowest start took ${slowest} ms`);
  t.diagnostic(
    `acknowledged ${history.of('ok').length}: ${count('create')} articles, ${count('revise')} revisions, ${count('publish')} publications; refused ${history.of('fail').length}`,
  );
  t.diagnostic(
    `without an answer ${entries.filter((one) => one.wasUnknown).length} (after a restart ${unknown.whole} whole, ${unknown.absent} absent); sent three times ${writer.counters.repeats}, raced ${writer.counters.races}, told to wait ${writer.counters.inProgress}`,
  );
  t.diagnostic(`ready after a kill: ${summaryOf(readyMs.slice(1))} ms`);
});
