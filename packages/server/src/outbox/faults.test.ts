// The pipeline on a real PostgreSQL: kills, failures, lost connections and stops.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type pg from 'pg';
import { sql } from '#database';
import { deliveredOnce } from '#test/citus/one-server';
import { effort } from '#test/effort';
import { hurry, jobs, noteWaits, open, subscriber, say, countWaiting } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { quiet, throwAwayDatabase, until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { countParked, lag, listParked, releaseParked } from './index.ts';
import type { Subscriber } from './index.ts';
import { inTransaction, openDedicatedConnection } from './dedicated-connection.ts';
import { freeJobsOfTheDead } from './worker-liveness.ts';
import { moveBatch, routesOf } from './relay.ts';
import { openWorkerPool } from './worker-pool.ts';

/** A job locked by a dead worker. */
async function takenByTheDead(clone: Clone): Promise<void> {
  await clone.ask(`select graphile_worker.add_job('gone:gone', '{}')`);
  await clone.ask(
    "update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now() - interval '1 minute' where key is null",
  );
}

async function moveOnce(
  clone: Clone,
  subscribers: readonly Subscriber[],
): Promise<number | 'busy'> {
  await using link = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await until('the link is open', () => link.alone(async () => true).catch(() => false));
  return await link.alone((ask) => moveBatch(ask, routesOf(subscribers)));
}

test('a message survives the stop of its worker between hand-over and run', async () => {
  await using clone = await migratedClone();
  const seen: string[] = [];
  const subscribers = [subscriber('see', ({ payload }) => void seen.push(payload.article_id))];
  const [said] = await say(clone);
  assert.equal(await moveOnce(clone, subscribers), 1);
  assert.equal(await countWaiting(clone), 0);
  assert.equal((await lag(clone.db)).waiting, 1);
  await using _outbox = open(clone, subscribers);
  await until('the message is seen', () => seen.length > 0);
  assert.deepEqual(seen, [said]);
});

test('kill -9 in the middle of a subscriber: another process runs it within seconds', async () => {
  await using clone = await migratedClone();
  const code = `
    import { startOutbox } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const run = () => { console.log('taken'); return new Promise(() => {}); };
    startOutbox({ connection: ${JSON.stringify(clone.connection)}, db: undefined, log: quiet, concurrency: 1,
      subscribers: [{ type: 'article.changed', name: 'see', run }] });`;
  const said = await say(clone, 20);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const taken = await clone.ask(
    'select 1 from graphile_worker._private_jobs where locked_at is not null',
  );
  assert.equal(taken.length, 1);
  // The check skips jobs that were locked in the last two seconds; wait for those to pass.
  await clone.ask(
    "update graphile_worker._private_jobs set locked_at = locked_at - interval '3 seconds'",
  );
  const seen: string[] = [];
  const see = subscriber('see', ({ payload }) => void seen.push(payload.article_id));
  await using _outbox = open(clone, [see], { deadCheckMs: 200 });
  // At once, or at the next check if the dead worker's connection outlived it for a moment.
  await until('all are seen', () => new Set(seen).size === said.length);
  assert.deepEqual(deliveredOnce(seen).toSorted(), said.toSorted());
});

test('jobs of a worker that is alive are not taken from it, those of a dead one are', async () => {
  await using clone = await migratedClone();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  await using outbox = open(clone, [subscriber('slow', () => ((runs += 1), gate.promise))]);
  await say(clone);
  outbox.wake();
  await until('it runs', () => runs === 1);
  const present =
    "select 1 from pg_locks where locktype = 'advisory' and classid = 1129270352 and granted and database = (select oid from pg_database where datname = current_database())";
  await until('it shows that it lives', async () => (await clone.ask(present)).length === 1);
  await clone.ask(
    "update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute'",
  );
  await using other = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await until('the link is open', () => other.alone(async () => true).catch(() => false));
  const free = () => other.alone((ask) => inTransaction(ask, () => freeJobsOfTheDead(ask, [])));
  assert.equal(await free(), 0);
  await takenByTheDead(clone);
  await free();
  const locked = await clone.ask<{ locked_by: string }>(
    'select locked_by from graphile_worker._private_jobs where locked_at is not null',
  );
  assert.equal(locked.length, 1);
  assert.match(locked[0]?.locked_by ?? '', /^pool-[0-9a-f]+$/);
  gate.resolve();
  await until('all but the job without a task is done', async () => (await jobs(clone)) === 1);
  assert.equal(runs, 1);
});

test('a subscriber that fails three times runs again, later each time, and succeeds; its sibling runs once', async () => {
  await using clone = await migratedClone();
  await noteWaits(clone);
  let attempts = 0;
  let siblings = 0;
  await using outbox = open(clone, [
    subscriber('shaky', () => {
      attempts += 1;
      if (attempts <= 3) throw new Error(`failure ${attempts}`);
    }),
    subscriber('steady', () => void (siblings += 1)),
  ]);
  await say(clone);
  outbox.wake();
  for (const failures of [1, 2, 3]) {
    const noted = () =>
      clone.ask<{ seconds: number }>('select seconds from waits where error = $1', [
        `failure ${failures}`,
      ]);
    await until(`failure ${failures} is on record`, async () => (await noted()).length === 1);
    const [row] = await noted();
    assert.ok(
      (row?.seconds ?? 0) > Math.exp(failures) - 0.001,
      `waits ${row?.seconds} s after failure ${failures}`,
    );
    await hurry(clone);
  }
  await until('it is done', async () => (await jobs(clone)) === 0);
  assert.deepEqual([attempts, siblings], [4, 1]);
});

test('what keeps failing is parked and listed, the others go on, and released it runs again', async () => {
  await using clone = await migratedClone();
  const [bad = '', ...good] = await say(clone, 10);
  let broken = true;
  const seen: string[] = [];
  await using outbox = open(clone, [
    subscriber('see', ({ payload }) => {
      if (payload.article_id === bad && broken) throw new Error('the index is gone');
      seen.push(payload.article_id);
    }),
  ]);
  outbox.wake();
  await until('the good ones are seen', () => seen.length === good.length);
  await until(
    'the bad one is parked',
    async () => (await hurry(clone), (await countParked(clone.db)) === 1),
  );
  const [parked] = await listParked(clone.db, 10);
  assert.deepEqual(
    {
      type: parked?.type,
      subscriber: parked?.subscriber,
      payload: parked?.payload,
      attempts: parked?.attempts,
      error: parked?.last_error,
    },
    {
      type: 'article.changed',
      subscriber: 'see',
      payload: { article_id: bad },
      attempts: 12,
      error: 'the index is gone',
    },
  );
  assert.deepEqual(await lag(clone.db), { waiting: 0, oldest_seconds: null });
  assert.equal(await releaseParked(clone.db, ['0']), 0);
  broken = false;
  assert.equal(await releaseParked(clone.db, [parked?.job_id ?? '']), 1);
  await until('it is done', () => seen.includes(bad));
  assert.equal(await countParked(clone.db), 0);
});

test('losing every connection in the middle of the work ends nothing and loses nothing', async () => {
  await using clone = await migratedClone();
  const seen = new Set<string>();
  const see = subscriber('see', async ({ payload }) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.add(payload.article_id);
  });
  await using outbox = open(clone, [see], { deadCheckMs: 200 });
  const said: string[] = [];
  for (let round = 0; round < effort(2, 4); round += 1) {
    said.push(...(await say(clone, effort(100, 200))));
    outbox.wake();
    const before = seen.size;
    await until('some work is done', () => seen.size > before);
    await clone.ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('colophon-outbox', 'colophon-worker')",
    );
  }
  await until('all are seen', () => seen.size === said.length);
  await until('no job is left', async () => (await jobs(clone)) === 0);
});

test('a transaction that was not rolled back does not keep its connection from all later work', async () => {
  await using clone = await migratedClone();
  await using link = openDedicatedConnection({ connection: clone.connection, log: quiet });
  await until('the link is open', () => link.alone(async () => true).catch(() => false));
  // What a rollback leaves that the database has no memory for.
  const left = link.alone(async (ask) => {
    await ask(sql`begin`);
    await ask(sql`select 1 / 0`);
  });
  await assert.rejects(left, /division by zero/);
  await until('it works again', () =>
    link.alone((ask) => inTransaction(ask, async () => true)).catch(() => false),
  );
});

test('a connection that the library releases twice, broken in between, ends nothing', async () => {
  await using clone = await migratedClone();
  const pool = openWorkerPool({ connection: clone.connection, log: quiet });
  const connected = Promise.withResolvers<{ client: pg.PoolClient; release: () => void }>();
  pool.connect((error, client, release) => {
    if (client === undefined) connected.reject(error);
    else connected.resolve({ client, release });
  });
  const { client, release } = await connected.promise;
  const broken = assert.rejects(client.query('listen "jobs:insert"; select pg_sleep(60)'));
  release();
  await clone.ask(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'colophon-worker' and datname = current_database()",
  );
  await broken;
  await until('the pool has let it go', () => pool.totalCount === 0);
  release();
  const { rows } = await pool.query('select 1 as one');
  assert.deepEqual(rows, [{ one: 1 }]);
  await pool.end();
});

test('stop lets a running subscriber finish; past the deadline another process runs it', async () => {
  await using clone = await migratedClone();
  const gate = Promise.withResolvers<void>();
  const runs = { first: 0, second: 0 };
  let ended = 0;
  const slowIn = (process: keyof typeof runs) => [
    subscriber('slow', () => {
      runs[process] += 1;
      return gate.promise.then(() => void (ended += 1));
    }),
  ];
  const first = open(clone, slowIn('first'));
  await say(clone);
  first.wake();
  await until('it runs', () => runs.first === 1);
  await first.stop(100);
  await using second = open(clone, slowIn('second'));
  await until('the second runs it', () => runs.second === 1);
  const stopping = second.stop(60_000);
  gate.resolve();
  await stopping;
  assert.equal(ended, runs.first + runs.second);
  await until('the job is removed', async () => (await jobs(clone)) === 0);
});

test('a restart of the database in the middle of the work ends nothing and loses nothing', async () => {
  await using server = await throwAwayDatabase();
  await using clone = await server.clone();
  const seen = new Set<string>();
  const see = subscriber('see', async ({ payload }) => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.add(payload.article_id);
  });
  await using outbox = open(clone, [see], { deadCheckMs: 200 });
  const said: string[] = [];
  for (let round = 0; round < effort(2, 3); round += 1) {
    said.push(...(await say(clone, effort(100, 300))));
    outbox.wake();
    const before = seen.size;
    await until('some work is done', () => seen.size > before);
    const down = performance.now();
    await server.restart(() =>
      until('it was away for a while', () => performance.now() - down > effort(300, 700)),
    );
    await until('the database answers', () =>
      clone.ask('select 1').then(
        () => true,
        () => false,
      ),
    );
  }
  await until('all are seen', () => seen.size === said.length);
  await until('no job is left', async () => (await jobs(clone)) === 0);
});
