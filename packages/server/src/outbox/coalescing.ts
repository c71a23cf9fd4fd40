// Tracks messages whose job has not started: an equal message needs no second job.
import { sql } from '#database';
import type { Ask } from './dedicated-connection.ts';

/** Above this number all entries are deleted, which costs an occasional extra job. About 60 bytes each. */
const mostRemembered = 50_000;

export interface WaitingJobs {
  /** Returns the key of the last job that was added to a task for this object. */
  keyOf(task: string, object: string): string | undefined;
  /**
   * Returns which of the jobs are still waiting. Call it after the messages were read: a job that has not started
   * by then starts later, so it sees what the messages report. A job that failed keeps only the messages that failed,
   * and its error even when an operator gives it all its attempts again: it does not count.
   */
  listWaiting(ask: Ask, keys: Iterable<string>): Promise<ReadonlySet<string>>;
  /** Stores the key of a job for these objects. Call it after the commit. */
  remember(task: string, key: string, objects: readonly string[]): void;
}

/**
 * Tracks the jobs that one relay has added. Another process does not share this state and may add a job
 * again.
 */
export function trackWaitingJobs(): WaitingJobs {
  const tasks = new Map<string, Map<string, string>>();
  let remembered = 0;
  return {
    keyOf: (task, object) => tasks.get(task)?.get(object),
    listWaiting: async (ask, keys) => {
      const asked = [...new Set(keys)];
      if (asked.length === 0) return new Set();
      const rows = await ask(sql<{ key: string }>`
        select key
        from graphile_worker._private_jobs
        where key = any(${asked})
          and locked_at is null
          and attempts = 0
          and last_error is null`);
      return new Set(rows.map(({ key }) => key));
    },
    remember: (task, key, objects) => {
      remembered += objects.length;
      if (remembered > mostRemembered) {
        tasks.clear();
        remembered = objects.length;
      }
      const own = tasks.get(task) ?? new Map<string, string>();
      for (const object of objects) own.set(object, key);
      tasks.set(task, own);
    },
  };
}
