// Which messages wait in a job that nobody has taken yet: an equal message needs no second job.
import { sql } from '#database';
import type { Ask } from './dedicated-connection.ts';

/** Beyond that everything is forgotten, which costs a job now and then and no more. Some 60 bytes each. */
const mostRemembered = 50_000;

export interface WaitingJobs {
  /** The key of the job that a task was last given for this object. */
  keyOf(task: string, object: string): string | undefined;
  /**
   * Those of the jobs that wait. To be asked in the transaction that took the messages, after it took them: a
   * job that nobody has taken by then starts later, so it sees what the messages report.
   */
  listWaiting(ask: Ask, keys: Iterable<string>): Promise<ReadonlySet<string>>;
  /** To be called after the commit. */
  remember(task: string, key: string, objects: readonly string[]): void;
}

/** What one relay has handed over. Another process knows nothing of it, and hands over once more. */
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
          and attempts = 0`);
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
