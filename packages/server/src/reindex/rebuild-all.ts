// Rebuilds one kind of derived rows from its stored progress to the end, by command or automatically.
import type { SubscriberServices } from '#outbox';
import type { Rebuilding } from './rebuilding.ts';
import { findProgress, setMade, setProgress } from './rebuild-states.ts';
import type { Progress } from './rebuild-states.ts';

export interface Run {
  readonly services: SubscriberServices;
  /** Ends the run after the rows in progress. */
  readonly stop: AbortSignal;
  /** How many rows are rebuilt at once. */
  readonly concurrency: number;
  /** Number of ids in one batch; the progress is stored after each batch. */
  readonly batchSize: number;
  /** Called before each batch; throws to end the run there. */
  readonly mayGoOn?: () => Promise<void>;
  /** Called when a part begins; `total` is undefined if it is unknown. */
  readonly began: (part: string, total: number | undefined, done: number) => void;
  /** Called after each row. */
  readonly did: () => void;
  /** Called when a row failed. Returns whether it was rebuilt in the end. Throws to give up. */
  readonly failed: (one: Rebuilding, id: string, error: Error) => Promise<'made' | 'failed'>;
}

interface Tally {
  failed: number;
}

async function rebuildOne(one: Rebuilding, id: string, run: Run, tally: Tally): Promise<void> {
  const failing = await one.rebuild(id, run.services).then(
    () => undefined,
    (error: Error) => error,
  );
  if (failing !== undefined && (await run.failed(one, id, failing)) === 'failed') tally.failed += 1;
  run.did();
}

/** Rebuilds a batch of rows. If one throws, it throws that error after the rows in progress have ended. */
async function rebuildBatch(
  one: Rebuilding,
  ids: readonly string[],
  run: Run,
  tally: Tally,
): Promise<void> {
  const left = [...ids];
  const workers = Array.from({ length: run.concurrency }, async () => {
    for (let id = left.shift(); id !== undefined && !run.stop.aborted; id = left.shift()) {
      await rebuildOne(one, id, run, tally).catch((error: Error) => {
        left.length = 0;
        throw error;
      });
    }
  });
  const ended = await Promise.allSettled(workers);
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason as Error;
}

interface Walking {
  readonly next: Rebuilding['next'];
  readonly from: string;
  readonly tally: Tally;
  readonly kept?: (after: string, count: number) => Promise<void>;
}

/** Walks and rebuilds until the end, or until it is stopped. Returns true at the end. */
async function walk(one: Rebuilding, run: Run, walking: Walking): Promise<boolean> {
  for (let after = walking.from; ;) {
    await run.mayGoOn?.();
    const ids = await walking.next(run.services.db, after, run.batchSize);
    await rebuildBatch(one, ids, run, walking.tally);
    if (run.stop.aborted) return false;
    after = ids.at(-1) ?? after;
    await walking.kept?.(after, ids.length);
    if (ids.length < run.batchSize) return true;
  }
}

/**
 * Rebuilds one kind: first the rows that have a source, then the stale rows. It continues where this
 * version stopped, or starts over if `fromStart` is true. Returns the number of rows that failed, or undefined
 * if it was stopped.
 */
export async function rebuildAll(
  one: Rebuilding,
  run: Run,
  fromStart = false,
): Promise<number | undefined> {
  const { db, now } = run.services;
  const before = fromStart ? undefined : await findProgress(db, one);
  const total = await one.count(db);
  let progress: Progress = { after_id: '', done: 0, failed: 0, ...before, total };
  await setProgress(db, one, progress, now());
  run.began(one.name, total, progress.done);
  const tally: Tally = { failed: progress.failed };
  const whole = await walk(one, run, {
    next: one.next,
    from: progress.after_id,
    tally,
    kept: async (after_id, count) => {
      progress = { after_id, done: progress.done + count, total, failed: tally.failed };
      await setProgress(db, one, progress, now());
    },
  });
  if (!whole) return undefined;
  run.began(`${one.name}, without a source`, undefined, 0);
  if (!(await walk(one, run, { next: one.stale, from: '', tally }))) return undefined;
  await setMade(db, one, tally.failed, now());
  return tally.failed;
}
