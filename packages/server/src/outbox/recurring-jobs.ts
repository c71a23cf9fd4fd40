// When recurring jobs run: by the clock of the queue's library, and two runs of one do not meet.
import { parseCronItems } from 'graphile-worker';
import type { ParsedCronItem } from 'graphile-worker';
import { sql } from '#database';
import type { Ask } from './dedicated-connection.ts';
import type { Recurring } from './subscriber.ts';
import { attemptsMax } from './relay.ts';

const prefix = 'recurring:';

/** Whether the task of a statement is a recurring job. It is text, not a parameter: backups copy without any. */
export const isRecurringTask = sql`task.identifier like 'recurring:%'`;

/** The queue's name for a recurring job. */
export function recurringTask(entry: Pick<Recurring, 'name'>): string {
  return `${prefix}${entry.name}`;
}

/** Whether a task of the queue is a recurring job. */
export function isRecurring(task: string): boolean {
  return task.startsWith(prefix);
}

/**
 * Returns when each recurring job runs. The key merges the runs that wait into one, so missed runs are made up
 * once; it does not hold back a run while the one before it lasts. The named queue does: it is a row that the
 * worker of the run locks, and that is freed with the jobs of a dead worker.
 */
export function crontab(recurring: readonly Recurring[]): ParsedCronItem[] {
  return parseCronItems(
    recurring.map((entry) => ({
      task: recurringTask(entry),
      match:
        'cron' in entry
          ? entry.cron
          : ({ hour, min }: { hour: number; min: number }) =>
              (hour * 60 + min) % entry.everyMinutes === 0,
      identifier: entry.name,
      options: {
        jobKey: recurringTask(entry),
        queueName: recurringTask(entry),
        maxAttempts: attemptsMax,
      },
    })),
  );
}

/**
 * Deletes runs that failed, or lost their worker, after the next run had been scheduled: the library gave that
 * run the key of this one, and took this one's attempts. Nothing is left to do for them, and they would be
 * reported as parked.
 */
export async function dropReplacedRuns(ask: Ask): Promise<void> {
  await ask(sql`
    delete from graphile_worker._private_jobs job
    using graphile_worker._private_tasks task
    where task.id = job.task_id
      and ${isRecurringTask}
      and job.key is null
      and job.locked_at is null`);
}

/**
 * Frees named queues whose run is gone: of a worker that lost its liveness lock, the run is given to another one, and
 * the one that ends it second finds no row that names the queue to free. Taking a run locks both in one statement.
 */
export async function freeQueuesWithoutRun(ask: Ask): Promise<void> {
  await ask(sql`
    update graphile_worker._private_job_queues queue
    set locked_by = null, locked_at = null
    where queue.locked_at < now() - interval '2 seconds'
      and not exists (
        select 1
        from graphile_worker._private_jobs job
        where job.job_queue_id = queue.id
          and job.locked_at is not null
      )`);
}
