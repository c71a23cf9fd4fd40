// A database that is suspended for seconds, ends its sessions, and resets connections under load: the server goes on.
// LONG=1 runs fifty long rounds; without it a short one, and as many quick ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../throw-away-database.ts';
import { descendantsOf, signal, wordsOf } from './child-processes.ts';
import { startMixedLoad } from './mixed-load.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const isLong = process.env['LONG'] === '1';
const rounds = {
  suspended: isLong ? 50 : 1,
  terminated: isLong ? 50 : 8,
  reset: isLong ? 100 : 12,
};
const clients = 16;

let place: Place;
let server: ServerProcess;

before(async () => {
  place = await makePlace();
  server = place.start();
  await server.ready(place.baseUrl);
});

after(async () => {
  await place[Symbol.asyncDispose]();
});

/** The database with all its processes, the first of them its parent. */
async function processes(): Promise<readonly number[]> {
  const root = await place.postmasterPid();
  return [root, ...(await descendantsOf(root))];
}

async function sessions(): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await processes())
    if ((await wordsOf(pid)).join(' ').includes('[local]')) found.push(pid);
  return found;
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) signal(pid, name);
}

/** Longer than idle_in_transaction_session_timeout, or about as long: sessions end as soon as they go on. */
async function suspend(): Promise<void> {
  const all = await processes();
  signalAll(all, 'SIGSTOP');
  await wait(isLong ? 9_000 + Math.random() * 9_000 : 10_500);
  signalAll(Math.random() < 0.5 ? all : all.toReversed(), 'SIGCONT');
}

/** What sessions were sent and have not read is lost with them: the driver gets ECONNRESET. */
async function reset(): Promise<void> {
  const all = await sessions();
  const some = all.filter(() => Math.random() < 0.8);
  signalAll(some, 'SIGSTOP');
  await wait(Math.random() * 150);
  signalAll(some, 'SIGTERM');
  signalAll(some, 'SIGCONT');
}

async function terminate(): Promise<void> {
  const client = await place.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  await client.end();
}

async function registers(): Promise<boolean> {
  const username = `after-${crypto.randomUUID().slice(0, 8).replaceAll(/[01]/g, 'x')}z`;
  const response = await fetch(`${place.baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  await response.arrayBuffer();
  return response.status === 201;
}

for (const [kind, fault, pauseMs] of [
  ['reset', reset, 400],
  ['terminated', terminate, 400],
  ['suspended', suspend, 2_000],
] as const) {
  test(
    `sessions ${kind} ${rounds[kind]} times under load: the process lives, answers no 500, and serves again`,
    { timeout: isLong ? 3_600_000 : 600_000 },
    async (t) => {
      const load = startMixedLoad(place.baseUrl, clients);
      for (let round = 0; round < rounds[kind]; round += 1) {
        await wait(pauseMs + Math.random() * pauseMs);
        await fault();
        await until(`it serves after round ${round}`, registers);
      }
      await load.stop();
      t.diagnostic(`${rounds[kind]} rounds: ${JSON.stringify(Object.fromEntries(load.statuses))}`);
      assert.deepEqual(load.failures, []);
      const fatal = server.log.filter(({ level }) => level === 60);
      assert.deepEqual(fatal, []);
      assert.equal((await fetch(`${place.baseUrl}/healthz`)).status, 200);
    },
  );
}

test('it stops in order after all of this', { timeout: 900_000 }, async () => {
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
});
