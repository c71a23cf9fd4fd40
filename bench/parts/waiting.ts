// The work that waits for the pipeline.
import type pg from 'pg';

export interface Waiting {
  readonly messages: number;
  readonly jobs: number;
}

/** Counts messages and jobs, without share images, which are drawn when no other work is waiting. */
export async function countWaiting(client: pg.Client): Promise<Waiting> {
  const { rows } = await client.query<Waiting>(`
    select (select count(*) from outbox)::integer as messages,
      (
        select count(*)
        from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier not like '%:makeOgImage'
          and task.identifier not like 'recurring:%'
      )::integer as jobs`);
  return rows[0] as Waiting;
}
