// Goes through one kind of derived rows from where it stands to its end: by the operator's command, or by itself.
import type { SubscriberServices } from '#outbox';
import type { Rebuilding } from './rebuilding.ts';
import { findProgress, setMade, setProgress } from './standings.ts';
import type { Progress } from './standings.ts';

export interface Run {
  readonly services: SubscriberServices;
  /** Ends it after the rows that are under way. */
  readonly stop: AbortSignal;
  /** How many rows are made at once. */
  readonly concurrency: number;
  /** Ids of one look into the database; after each batch the progress is kept. */
  readonly batchSize: number;
  /** Asked before each batch; throws to end it there. */
  readonly mayGoOn?: () => Promise<void>;
  /** A part begins; `total` undefined: nobody knows how many there are. */
  readonly began: (part: string, total: number | undefined, done: number) => void;
  /** One more is done. */
  readonly did: () => void;
  /** A row could not be made: whether it is by now. Throws to give up. */
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

/** Throws what ended it when no row is under way any more. */
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

/** Walks and rebuilds until the end, or until it is asked to stop; true at the end. */
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
 * Makes one kind anew: first what derives from a source, then what has none any more. Goes on where this
 * version of it stopped, or begins again with `anew`. undefined: it was asked to stop; else how many rows
 * could not be made.
 */
export async function rebuildAll(
  one: Rebuilding,
  run: Run,
  anew = false,
): Promise<number | undefined> {
  const { db, now } = run.services;
  const before = anew ? undefined : await findProgress(db, one);
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
