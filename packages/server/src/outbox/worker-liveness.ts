// Liveness of workers: releases the jobs of a killed worker at once.
import { livenessSpace, sql } from '#database';
import type { Ask } from './dedicated-connection.ts';
import { dropReplacedRuns, freeQueuesWithoutRun } from './recurring-jobs.ts';

/**
 * Records that this process runs the worker `id` for as long as this connection lives. The queue's library
 * alone would wait four hours before it gave a killed worker's jobs to another worker.
 */
export async function recordLiveness(ask: Ask, id: string): Promise<void> {
  await ask(sql`select pg_advisory_lock(${livenessSpace}::integer, hashtext(${id}))`);
}

/** Ends the liveness lock and releases the jobs that the worker still had. */
export async function clearLiveness(ask: Ask, id: string): Promise<void> {
  await ask(sql`select pg_advisory_unlock(${livenessSpace}::integer, hashtext(${id}))`);
  await ask(sql`select graphile_worker.force_unlock_workers(array[${id}::text])`);
}

/**
 * Releases the jobs of dead workers, and returns the number of those workers. Also drops recurring runs that were
 * replaced, and frees queues without a run. Run it in a transaction. `own` are this process's workers, whose
 * locks would not exclude this same connection. A worker that is alive but lost its connection may see its jobs
 * run twice, which subscribers and recurring jobs tolerate.
 */
export async function freeJobsOfTheDead(ask: Ask, own: readonly string[]): Promise<number> {
  const rows = await ask(sql<{ dead: string[] | null }>`
    select array_agg(holder.locked_by) as dead
    from (
      select distinct locked_by
      from graphile_worker._private_jobs
      where locked_at < now() - interval '2 seconds'
        and locked_by <> all(${own})
    ) as holder
    where pg_try_advisory_xact_lock(${livenessSpace}::integer, hashtext(holder.locked_by))`);
  const dead = rows[0]?.dead ?? [];
  if (dead.length > 0) await ask(sql`select graphile_worker.force_unlock_workers(${dead})`);
  await dropReplacedRuns(ask);
  await freeQueuesWithoutRun(ask);
  return dead.length;
}
