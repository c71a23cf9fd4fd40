// A database that is suspended for seconds, ends its sessions, and resets connections under load: the server goes on.
// A long run makes fifty long rounds of each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from '../effort.ts';
import { until } from '../throw-away-database.ts';
import { descendantsOf, signal, wordsOf } from './child-processes.ts';
import { startMixedLoad } from './mixed-load.ts';
import { makePlace } from './server-process.ts';
import type { Place, ServerProcess } from './server-process.ts';

const rounds = {
  suspended: effort(1, 50),
  reset: effort(2, 100),
  terminated: effort(1, 50),
};
interface Fault {
  readonly kind: keyof typeof rounds;
  readonly fault: (place: Place) => Promise<void>;
  readonly pauseMs: number;
}

const clients = effort(8, 16);
const suspendedMs = [effort(10_500, 9_000), effort(10_500, 18_000)] as const;

/** The database with all its processes, the first of them its parent. */
async function processes(place: Place): Promise<readonly number[]> {
  const root = await place.postmasterPid();
  return [root, ...(await descendantsOf(root))];
}

async function sessions(place: Place): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await processes(place))
    if ((await wordsOf(pid)).join(' ').includes('[local]')) found.push(pid);
  return found;
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) signal(pid, name);
}

/** Longer than idle_in_transaction_session_timeout, or about as long: sessions end as soon as they go on. */
async function suspend(place: Place): Promise<void> {
  const all = await processes(place);
  const [least, most] = suspendedMs;
  signalAll(all, 'SIGSTOP');
  await wait(least + Math.random() * (most - least));
  signalAll(Math.random() < 0.5 ? all : all.toReversed(), 'SIGCONT');
}

/** What sessions were sent and have not read is lost with them: the driver gets ECONNRESET. */
async function reset(place: Place): Promise<void> {
  const all = await sessions(place);
  const some = all.filter(() => Math.random() < 0.8);
  signalAll(some, 'SIGSTOP');
  await wait(Math.random() * 150);
  signalAll(some, 'SIGTERM');
  signalAll(some, 'SIGCONT');
}

async function terminate(place: Place): Promise<void> {
  const client = await place.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  await client.end();
}

/** Whether somebody can register. A connection that is refused or reset means: not yet. */
async function registers(place: Place): Promise<boolean> {
  const username = `after-${crypto.randomUUID().slice(0, 8).replaceAll(/[01]/g, 'x')}z`;
  const status = await fetch(`${place.baseUrl}/v1/humans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );
  return status === 201;
}

/** Repeats the fault under load; the process must live, answer no 500, and serve again after each. */
async function goesOn(
  { place, server }: { readonly place: Place; readonly server: ServerProcess },
  { kind, fault, pauseMs }: Fault,
): Promise<string> {
  await using load = startMixedLoad(place.baseUrl, clients);
  for (let round = 0; round < rounds[kind]; round += 1) {
    await wait(pauseMs + Math.random() * pauseMs);
    await fault(place);
    await until(`it serves after round ${round}`, () => registers(place));
  }
  await load.stop();
  assert.deepEqual(load.failures, []);
  const fatal = server.log.filter(({ level }) => level === 60);
  assert.deepEqual(fatal, []);
  assert.equal((await fetch(`${place.baseUrl}/healthz`)).status, 200);
  return JSON.stringify(Object.fromEntries(load.statuses));
}

/** Each list on a server of its own: while a database is suspended its clients wait. */
const servers: readonly (readonly Fault[])[] = [
  [{ kind: 'suspended', fault: suspend, pauseMs: effort(500, 1_500) }],
  [
    { kind: 'reset', fault: reset, pauseMs: 300 },
    { kind: 'terminated', fault: terminate, pauseMs: 300 },
  ],
];

describe('under load', { concurrency: 2 }, () => {
  for (const faults of servers) {
    const named = faults.map(({ kind }) => `${kind} ${rounds[kind]} times`).join(' and ');
    test(
      `sessions ${named}: the process lives, answers no 500, serves again, and stops in order`,
      { timeout: effort(900_000, 3_600_000) },
      async (t) => {
        await using place = await makePlace();
        const server = place.start();
        await server.ready(place.baseUrl);
        for (const one of faults) {
          const statuses = await goesOn({ place, server }, one);
          t.diagnostic(`${one.kind} ${rounds[one.kind]} times: ${statuses}`);
        }
        server.kill('SIGTERM');
        assert.equal((await server.ended).code, 0);
      },
    );
  }
});
