// Who among the workers is alive: frees at once what a killed one had taken.
import { sql } from '#database';
import type { Ask } from './dedicated-connection.ts';

/**
 * Shows that this process runs the worker `id` for as long as this connection lives. The queue's
 * library alone would wait four hours before it gave a killed worker's jobs to another.
 */
export async function recordLiveness(ask: Ask, id: string): Promise<void> {
  await ask(sql`select pg_advisory_lock(1129270352, hashtext(${id}))`);
}

/** Takes the sign of life back and frees what the worker still had. */
export async function clearLiveness(ask: Ask, id: string): Promise<void> {
  await ask(sql`select pg_advisory_unlock(1129270352, hashtext(${id}))`);
  await ask(sql`select graphile_worker.force_unlock_workers(array[${id}::text])`);
}

/**
 * Frees the jobs of workers that show no sign of life, and answers how many workers those were. To be
 * run in a transaction; `own` are this process's workers, whose locks would not refuse this very
 * connection. A worker that is alive but lost its connection may see its jobs run twice, which
 * subscribers allow for.
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
    where pg_try_advisory_xact_lock(1129270352, hashtext(holder.locked_by))`);
  const dead = rows[0]?.dead ?? [];
  if (dead.length > 0) await ask(sql`select graphile_worker.force_unlock_workers(${dead})`);
  return dead.length;
}
