// Runs subscribers and recurring jobs through the job queue, and restarts when the queue's runner gives up.
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, run } from 'graphile-worker';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Connection, Database } from '#database';
import type { Traces } from '#tracing';
import { openSingletonJobs } from './singleton-jobs.ts';
import type { SingletonJobs } from './singleton-jobs.ts';
import type { Delivered } from './messages.ts';
import type { Log, Subscriber, SubscriberServices, Recurring } from './subscriber.ts';
import { failStorably } from './storable-error.ts';
import { crontab, isRecurring, recurringTask } from './recurring-jobs.ts';
import { taskOf } from './relay.ts';
import { runBatch } from './run-batch.ts';
import { openWorkerPool } from './worker-pool.ts';
import { tracedJob } from './traced-job.ts';

export interface WorkerOptions {
  readonly connection: Connection;
  readonly db: Database;
  readonly subscribers: readonly Subscriber[];
  readonly recurring?: readonly Recurring[];
  readonly log: Log;
  readonly traces?: Traces | undefined;
  /** How many subscribers run at once in this process. */
  readonly concurrency: number;
  readonly now?: () => Date;
  /** Called with the id of a runner when it begins; with undefined when it ended. */
  readonly onRunner?: (id: string | undefined) => void;
}

export interface Worker extends AsyncDisposable {
  /** Finishes running subscribers; after `deadlineMs` releases the rest for another process. */
  stop(deadlineMs?: number): Promise<void>;
}

const schema = 'graphile_worker';
const stopMs = 8_000;
const pauses = [100, 500, 1_000, 2_000, 5_000] as const;

function tasks(
  { subscribers, recurring = [], ...options }: WorkerOptions,
  alone: SingletonJobs,
): TaskList {
  const services: SubscriberServices = {
    db: options.db,
    log: options.log,
    now: options.now ?? (() => new Date()),
  };
  const list: TaskList = {};
  for (const subscriber of subscribers) {
    const run = async (payload: unknown) => {
      if (Array.isArray(payload)) return runBatch(subscriber, payload as Delivered[], services);
      await subscriber.run(payload as Delivered, services);
      return [];
    };
    const lane = subscriber.alone;
    const task = taskOf(subscriber);
    list[task] = async (payload) => {
      const inTrace = () => tracedJob(options.traces, task, payload, () => run(payload));
      const ran = lane === undefined ? inTrace() : alone.inTurn(lane, inTrace);
      return [...(await failStorably(ran))];
    };
  }
  for (const entry of recurring) {
    const task = recurringTask(entry);
    const run = () => tracedJob(options.traces, task, undefined, () => entry.run(services));
    list[task] = () => failStorably(run());
  }
  return list;
}

interface FailedJob {
  readonly task_identifier: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly payload: { readonly id?: string } | readonly { readonly id?: string }[];
}

/** The error of a batch comes from the library: it names the failures and has no cause. */
const idsOf = ({ payload }: FailedJob) =>
  'length' in payload ? payload.map(({ id }) => id) : payload.id;

const failureText = (task: string): string =>
  isRecurring(task)
    ? 'A recurring job failed; it is retried, or its next run replaces it.'
    : 'A subscriber failed; the job is retried.';

/**
 * Adapts the library's log. The library logs every job at `info`; here a failure is a warning, and parking
 * an error.
 */
function bridge(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;
  return new Logger(() => (level, text, meta) => {
    // It warns that the pool is smaller than the number of jobs, which `openWorkerPool` chose.
    const isOfPool = 'max' in meta && 'concurrency' in meta;
    if (meta['failure'] !== true)
      return log[isOfPool ? 'debug' : levels[level]]({ err: meta['error'] }, text);
    const job = meta['job'] as FailedJob;
    const fields = {
      task: job.task_identifier,
      message_id: idsOf(job),
      attempts: job.attempts,
      err: meta['error'],
    };
    if (job.attempts >= job.max_attempts)
      log.error(fields, 'A subscriber failed in its last attempt; the job is parked.');
    else log.warn(fields, failureText(fields.task));
  });
}

function startRunner(options: WorkerOptions, pool: pg.Pool, events: WorkerEvents): Promise<Runner> {
  const lanes = new Set(options.subscribers.flatMap(({ alone: lane }) => lane ?? []));
  const alone = openSingletonJobs(events, [...lanes]);
  return run({
    pgPool: pool,
    taskList: tasks(options, alone),
    forbiddenFlags: alone.forbiddenFlags,
    parsedCronItems: crontab(options.recurring ?? []),
    noHandleSignals: true,
    logger: bridge(options.log),
    events,
    schema,
    preset: {
      worker: {
        concurrentJobs: options.concurrency,
        // No `localQueue`, although it fetches faster: when 0.18.0 stops with jobs in it, it fails the
        // running ones, and leaves a rejected promise unhandled if the database is down, which would end
        // this process. A killed process also takes fewer jobs with it. The batch delays are zero for the
        // same reason: without them, ending a job while the database is down rejects a promise without a
        // handler.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
}

/** Returns whether a promise settles within `ms`. */
async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const done = new AbortController();
  const late = wait(ms, false, { signal: done.signal }).catch(() => false);
  const inTime = promise.then(
    () => true,
    () => true,
  );
  const first = await Promise.race([inTime, late]);
  done.abort();
  return first;
}

function pauseAfter(failures: number): number | undefined {
  return pauses[Math.min(failures, pauses.length - 1)];
}

/**
 * Releases the jobs of a runner that does not end. Its connections end first: it could otherwise take a
 * released job again, and keep it until this process ends.
 */
async function letGo(options: WorkerOptions, pool: pg.Pool, runnerId: string): Promise<void> {
  await settles(pool.end(), 1_000);
  const own = openWorkerPool(options);
  await own
    .query(`select ${schema}.force_unlock_workers($1)`, [[runnerId]])
    .catch((error: Error) => {
      options.log.warn(
        { err: error },
        'The jobs of this worker could not be released; they are released after this process ends.',
      );
    });
  await settles(own.end(), 1_000);
}

/**
 * Starts running subscribers. A subscriber that throws is retried after e^attempt seconds, twelve times at
 * most; then its job is parked. After the database was lost, the runner restarts.
 */
export function startWorker(options: WorkerOptions): Worker {
  const stopping = Promise.withResolvers<void>();
  const asked = new AbortController();
  let pool: pg.Pool | undefined;
  let runnerId: string | undefined;

  function report(id: string | undefined): void {
    runnerId = id;
    options.onRunner?.(id);
  }

  /** Runs the library's runner once: until it gives up, or until this worker is asked to stop. */
  async function live(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const gone = Promise.withResolvers<void>();
    events.once('pool:create', ({ workerPool }) => report(workerPool.id));
    // A runner that gives up may try to reach the database for minutes before it ends.
    events.once('pool:gracefulShutdown', () => gone.resolve());
    const own = openWorkerPool(options);
    pool = own;
    try {
      const runner = await startRunner(options, own, events);
      runner.promise.catch(() => undefined);
      await Promise.race([gone.promise, stopping.promise]);
      // Rejects if the runner is already stopping; its clock for recurring jobs ends in any case.
      const stopped = runner.stop().catch(() => undefined);
      if (!asked.signal.aborted) throw new Error('The runner of the job queue stopped.');
      await stopped;
    } finally {
      report(undefined);
      await settles(own.end(), 1_000);
    }
  }

  async function keepAlive(): Promise<void> {
    for (let failures = 0; !asked.signal.aborted; failures += 1) {
      const since = performance.now();
      await live().catch((error: Error) => {
        options.log.warn({ err: error }, 'The worker lost the database; it is restarted.');
      });
      if (performance.now() - since > 10_000) failures = 0;
      await wait(pauseAfter(failures), undefined, { signal: asked.signal }).catch(() => undefined);
    }
  }

  const alive = keepAlive();

  async function stop(deadlineMs = stopMs): Promise<void> {
    asked.abort();
    stopping.resolve();
    if (await settles(alive, deadlineMs)) return;
    options.log.warn(
      {},
      'Subscribers were still running at the deadline of the stop; another process runs their jobs again.',
    );
    if (pool !== undefined && runnerId !== undefined) await letGo(options, pool, runnerId);
  }

  return { stop, [Symbol.asyncDispose]: () => stop() };
}
