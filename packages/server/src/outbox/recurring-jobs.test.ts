// Recurring jobs: one run at a time on all hosts, missed runs become one, and no run is left behind as parked.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { hurry, jobs, noteWaits, open, say, subscriber } from '#test/pipeline';
import { migratedClone } from '#test/migrated-clone';
import { until } from '#test/throw-away-database';
import type { Clone } from '#test/throw-away-database';
import { countParked } from './index.ts';
import type { Recurring } from './index.ts';
import { crontab } from './recurring-jobs.ts';

const never = '0 0 29 2 *';

function job(run: Recurring['run']): Recurring {
  return { name: 'slow', cron: never, run };
}

/** Schedules a run with what the clock of the library would pass. */
async function tick(clone: Clone): Promise<void> {
  const [item] = crontab([job(async () => undefined)]);
  assert.ok(item);
  const { queueName, jobKey, jobKeyMode, maxAttempts } = item.options;
  await clone.ask(
    `select graphile_worker.add_job($1, '{}', $2, now(), $3, $4, job_key_mode => coalesce($5, 'replace'))`,
    [item.task, queueName, maxAttempts, jobKey, jobKeyMode],
  );
}

const findWaiting = (clone: Clone) =>
  clone.ask('select 1 from graphile_worker._private_jobs where locked_at is null');

test('a run never begins beside another on any host, and missed runs become one', async () => {
  await using clone = await migratedClone();
  const go = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  let runs = 0;
  const recurring = [
    job(async () => {
      runs += 1;
      running += 1;
      most = Math.max(most, running);
      await go.promise;
      running -= 1;
    }),
  ];
  const seen: string[] = [];
  const see = [subscriber('see', ({ payload }) => void seen.push(payload.article_id))];
  await using here = open(clone, see, { recurring });
  await using _there = open(clone, see, { recurring });
  await tick(clone);
  await until('the first run has begun', () => runs === 1);
  for (const _ of Array.from({ length: 3 })) await tick(clone);
  // The queue hands out what was due first: these are done after the second run would have been taken.
  const said = await say(clone, 40);
  here.wake();
  await until('the others are done', () => seen.length === said.length);
  assert.deepEqual({ runs, waiting: (await findWaiting(clone)).length }, { runs: 1, waiting: 1 });
  go.resolve();
  await until('all runs are done', async () => (await jobs(clone)) === 0);
  assert.deepEqual({ runs, most }, { runs: 2, most: 1 });
});

test('kill -9 in the middle of a run: another process runs the next one, and nothing is parked', async () => {
  await using clone = await migratedClone();
  const code = `
    import { startOutbox } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const run = () => { console.log('taken'); return new Promise(() => {}); };
    startOutbox({ connection: ${JSON.stringify(clone.connection)}, db: undefined, log: quiet, concurrency: 1,
      subscribers: [], recurring: [{ name: 'slow', cron: '${never}', run }] });`;
  await tick(clone);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await tick(clone);
  child.kill('SIGKILL');
  await once(child, 'exit');
  // The check skips jobs that were locked in the last two seconds; wait for those to pass.
  await clone.ask(
    "update graphile_worker._private_jobs set locked_at = locked_at - interval '3 seconds'",
  );
  let runs = 0;
  const recurring = [job(async () => void (runs += 1))];
  await using _outbox = open(clone, [], { recurring, deadCheckMs: 200 });
  await until('no run is left', async () => (await jobs(clone)) === 0);
  assert.equal(runs, 1);
});

test('a run that fails after the next one was scheduled is not parked; the next one runs', async () => {
  await using clone = await migratedClone();
  const fails = Promise.withResolvers<void>();
  let runs = 0;
  const recurring = [
    job(async () => {
      runs += 1;
      if (runs === 1) await fails.promise;
    }),
  ];
  await using _outbox = open(clone, [], { recurring, deadCheckMs: 200 });
  await tick(clone);
  await until('the first run has begun', () => runs === 1);
  await tick(clone);
  fails.reject(new Error('This run fails.'));
  await until('no run is left', async () => (await jobs(clone)) === 0);
  assert.deepEqual({ runs, parked: await countParked(clone.db) }, { runs: 2, parked: 0 });
});

test('a queue whose run is gone is freed, and the next run begins', async () => {
  await using clone = await migratedClone();
  await tick(clone);
  await clone.ask(`
    update graphile_worker._private_job_queues
    set locked_by = 'worker-that-has-ended', locked_at = now() - interval '3 seconds'`);
  let runs = 0;
  const recurring = [job(async () => void (runs += 1))];
  await using _outbox = open(clone, [], { recurring, deadCheckMs: 200 });
  await until('no run is left', async () => (await jobs(clone)) === 0);
  assert.equal(runs, 1);
});

test('a run that fails by itself is tried again', async () => {
  await using clone = await migratedClone();
  await noteWaits(clone);
  let runs = 0;
  const recurring = [
    job(async () => {
      runs += 1;
      if (runs === 1) throw new Error('This run fails.');
    }),
  ];
  await using _outbox = open(clone, [], { recurring, deadCheckMs: 200 });
  await tick(clone);
  await until('it failed', async () => runs === 1 && (await findWaiting(clone)).length === 1);
  await hurry(clone);
  await until('it is done', async () => (await jobs(clone)) === 0);
  assert.equal(runs, 2);
});
