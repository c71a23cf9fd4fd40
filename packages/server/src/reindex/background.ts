// Rebuilds the derived rows of an older version after an upgrade, in one process, while all serve.
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '#database';
import type { Connection } from '#database';
import { openLease } from '#outbox';
import type { Lease, Log, SubscriberServices } from '#outbox';
import type { Rebuilding } from './rebuilding.ts';
import { rebuildAll } from './rebuild-all.ts';
import type { Run } from './rebuild-all.ts';
import { listRebuildStates, setMade } from './rebuild-states.ts';

interface Services extends SubscriberServices {
  readonly connection: Connection;
  /** Pauses between retries of a row, in ms; after the last, the row counts as failed. */
  readonly retries?: readonly number[];
}

/** Low, because requests to the service have precedence. */
const concurrency = 2;
const batchSize = 200;
/** Interval between two lines of the log. */
const logEveryMs = 30_000;
/** Interval at which a waiting process tries to take the lease. */
const turnMs = 1_000;
/** Pauses after a failure. */
const pauses = [1_000, 5_000, 15_000, 60_000] as const;
const usualRetries = [100, 1_000, 5_000] as const;
/**
 * The number of failed rows that are retried and named in the log; more than that indicates another fault.
 */
const namedMax = 20;

/** Sleeps until `ms` have passed or `stop` aborts. */
async function pause(ms: number | undefined, stop: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: stop }).catch(() => undefined);
}

async function listDue(kinds: readonly Rebuilding[], { db }: Services) {
  const states = await listRebuildStates(db, kinds);
  return kinds.filter((_, at) => states[at]?.made === false);
}

/** Returns whether there is nothing to rebuild and nothing stale. */
async function isEmpty({ next, stale }: Rebuilding, { db }: Services): Promise<boolean> {
  const found = await Promise.all([next(db, '', 1), stale(db, '', 1)]);
  return found.every((ids) => ids.length === 0);
}

/** Logs the progress, at most every 30 seconds. */
function progressLog(log: Log) {
  let part: { readonly what: string; readonly rows: number | undefined } | undefined;
  let done = 0;
  let loggedAt = performance.now();
  return {
    began: (what: string, rows: number | undefined, from: number) => {
      part = { what, rows };
      done = from;
    },
    did: () => {
      done += 1;
      if (performance.now() - loggedAt < logEveryMs) return;
      loggedAt = performance.now();
      log.info({ ...part, done }, 'Rebuilding derived rows of an older version.');
    },
  };
}

/** Handles a row that fails: retries it, then names it in the log, then skips it. */
function failureHandler(
  { db, log, now, retries = usualRetries }: Services,
  stop: AbortSignal,
): Run['failed'] {
  let named = 0;
  return async (one, id, first) => {
    let error: Error | undefined = first;
    for (const ms of named < namedMax ? retries : []) {
      await pause(ms, stop);
      // While the database is down no row is at fault: this throws, and everything is retried later.
      await db.first(sql<{ one: number }>`select 1 as one`);
      error = await one.rebuild(id, { db, log, now }).then(
        () => undefined,
        (again: Error) => again,
      );
      if (error === undefined) return 'made';
    }
    named += 1;
    if (named <= namedMax)
      log.error(
        { what: one.name, id, err: error },
        'A derived row could not be rebuilt; it is skipped.',
      );
    return 'failed';
  };
}

function logEnd({ log }: Services, { name }: Rebuilding, failed: number, since: number): void {
  const fields = { what: name, failed, seconds: Math.round((performance.now() - since) / 1_000) };
  if (failed === 0) return log.info(fields, 'Rebuilt the derived rows of an older version.');
  log.error(
    fields,
    'Some derived rows of an older version could not be rebuilt; correct the cause, then run admin reindex with their kind.',
  );
}

/** Rebuilds the kinds that are due, in their order, for as long as this process has the lease. */
async function makeDue(
  due: readonly Rebuilding[],
  services: Services,
  { lease, stop }: { readonly lease: Lease; readonly stop: AbortSignal },
): Promise<void> {
  const { log } = services;
  for (const one of due) {
    if (await isEmpty(one, services)) {
      await setMade(services.db, one, 0, services.now());
      continue;
    }
    const since = performance.now();
    const { began, did } = progressLog(log);
    const run: Run = {
      services,
      stop,
      concurrency,
      batchSize,
      mayGoOn: async () => {
        if (!(await lease.isHeld()))
          throw new Error('This process lost the lease; another one may have taken it.');
      },
      began: (what, rows, done) => {
        if (what === one.name)
          log.info(
            { what, rows, done },
            'Started to rebuild the derived rows of an older version.',
          );
        began(what, rows, done);
      },
      did,
      failed: failureHandler(services, stop),
    };
    const failed = await rebuildAll(one, run);
    if (failed === undefined) return;
    logEnd(services, one, failed, since);
  }
}

async function makeAll(
  kinds: readonly Rebuilding[],
  services: Services,
  stop: AbortSignal,
): Promise<void> {
  if ((await listDue(kinds, services)).length === 0) return;
  await using lease = openLease({ ...services, name: 'reindex' });
  while (!stop.aborted) {
    const isHeld = await lease.isHeld();
    // The previous owner of the lease may have rebuilt them.
    const due = await listDue(kinds, services);
    if (due.length === 0) return;
    if (isHeld) await makeDue(due, services, { lease, stop });
    else await pause(turnMs, stop);
  }
}

export interface Reindexing extends AsyncDisposable {
  /** Resolves when nothing is left to rebuild, or when it was stopped. */
  readonly ended: Promise<void>;
}

/**
 * Rebuilds in the background those of `kinds` that an older version of the code made. It does nothing if
 * all are of this version. One process works at a time; if it is killed, the next one continues.
 */
export function startReindexing(kinds: readonly Rebuilding[], services: Services): Reindexing {
  const stopping = new AbortController();
  const { signal: stop } = stopping;

  async function keepOn(): Promise<void> {
    for (let failures = 0; !stop.aborted; failures += 1) {
      try {
        return await makeAll(kinds, services, stop);
      } catch (error) {
        if (stop.aborted) return;
        services.log.warn(
          { err: error as Error },
          'The derived rows of an older version could not be rebuilt; it is tried again.',
        );
        await pause(pauses[Math.min(failures, pauses.length - 1)], stop);
      }
    }
  }

  const ended = keepOn();
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}
