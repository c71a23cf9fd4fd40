// How far the pipeline is behind, the jobs that keep failing, and their release by the operator.
import { sql } from '#database';
import type { Database, Db } from '#database';
import type { Subscriber } from './subscriber.ts';
import { isRecurringTask } from './recurring-jobs.ts';
import { priorities, taskOf } from './relay.ts';

/** The messages of a job, as an array: its payload is one message or an array of them. */
const messagesOfJob = sql`case
        when json_typeof(job.payload) = 'array' then job.payload
        else json_build_array(job.payload)
      end`;

export interface Lag {
  /**
   * Due messages, and due pairs of message and subscriber, that are not done; without those waiting for a
   * retry.
   */
  readonly waiting: number;
  /** Age in seconds of the oldest of them that is neither `background` nor `idle`; null if none. */
  readonly oldest_seconds: number | null;
}

/** Returns how far the pipeline is behind. */
export async function lag(db: Db): Promise<Lag> {
  const row = await db.first(sql<Lag>`
    -- every bucket: what waits is in all of them
    with waiting as (
      select 1 as messages, created_at, false as patient
      from outbox
      union all
      select json_array_length(${messagesOfJob}), greatest(job.created_at, job.run_at),
        job.priority >= ${priorities.background}
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where (job.attempts < job.max_attempts or job.locked_at is not null)
        and job.run_at <= now()
        and not (${isRecurringTask})
    )
    select coalesce(sum(messages), 0)::integer as waiting,
      case
        when count(*) filter (where not patient) > 0
        then greatest(extract(epoch from now() - min(created_at) filter (where not patient)), 0)::float8
      end as oldest_seconds
    from waiting`);
  return row ?? { waiting: 0, oldest_seconds: null };
}

/**
 * Returns whether these subscribers have finished everything committed so far: nothing waits or is parked.
 */
export async function isSettled(
  db: Db,
  subscribers: readonly Pick<Subscriber, 'type' | 'name'>[],
): Promise<boolean> {
  const row = await db.first(sql<{ settled: boolean }>`
    -- every bucket: what waits is in all of them
    select not exists (
        select 1
        from outbox
        where type = any(${subscribers.map(({ type }) => type)})
      )
      and not exists (
        select 1
        from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier = any(${subscribers.map(taskOf)})
      ) as settled`);
  return row?.settled === true;
}

/**
 * One message whose job has failed the maximum number of times. It stays, with all of its job, until it is
 * released.
 */
export interface Parked {
  readonly job_id: string;
  readonly type: string;
  readonly subscriber: string;
  readonly message_id: string | null;
  readonly payload: unknown;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly parked_at: string;
}

export async function countParked(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select coalesce(sum(json_array_length(${messagesOfJob})), 0)::integer as count
    from graphile_worker._private_jobs job
    where job.attempts >= job.max_attempts
      and job.locked_at is null`);
  return row?.count ?? 0;
}

/** Returns parked messages, the longest parked first. */
export async function listParked(db: Db, limit: number): Promise<readonly Parked[]> {
  return db.rows(sql<Parked>`
    select job.id::text as job_id,
      split_part(task.identifier, ':', 1) as type,
      split_part(task.identifier, ':', 2) as subscriber,
      message ->> 'id' as message_id,
      message -> 'payload' as payload,
      job.attempts,
      job.last_error,
      job.updated_at::timestamptz(3) as parked_at
    from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    cross join lateral json_array_elements(${messagesOfJob}) as message
    where job.attempts >= job.max_attempts
      and job.locked_at is null
    order by job.updated_at, job.id, message ->> 'id'
    limit ${limit}`);
}

/** Gives parked jobs (all, or those named) all their attempts again, and returns their number. */
export async function releaseParked(db: Database, jobIds?: readonly string[]): Promise<number> {
  const released = await db.transaction((tx) => {
    // The channel on which the queue's workers wait for new jobs; without it they poll within 2 s.
    void tx.run(sql`select pg_notify('jobs:insert', '{"count":1}')`);
    return tx.first(sql<{ count: number }>`
      select count(*) as count
      from graphile_worker.reschedule_jobs(
        array(
          select id
          from graphile_worker._private_jobs
          where attempts >= max_attempts
            and locked_at is null
            and (${jobIds === undefined} or id = any(${jobIds ?? []}::bigint[]))
        ),
        run_at => now(),
        attempts => 0
      )`);
  });
  return released?.count ?? 0;
}
