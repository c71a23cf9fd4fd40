// The recurring jobs of the pipeline, run for a while: as the clock does, and when a year of work is left.
import type { Database } from '#database';
import { recurringOf } from '#subscribers';
import type { TestServer } from '../harness.ts';
import { quiet } from '../throw-away-database.ts';

/** A job that goes on and on sends the same statements again. */
const statementsMax = 2_000;
const yearMs = 366 * 86_400_000;

class Enough extends Error {}

/** The database of a job that has done enough after so many statements and transactions. */
function countedDatabase(db: Database): Database {
  let left = statementsMax;
  const counted =
    <Rest extends readonly unknown[], Result>(ask: (...rest: Rest) => Promise<Result>) =>
    async (...rest: Rest): Promise<Result> => {
      left -= 1;
      if (left < 0) throw new Enough('This job has done enough.');
      return ask(...rest);
    };
  return {
    ...db,
    rows: counted(db.rows) as Database['rows'],
    first: counted(db.first) as Database['first'],
    transaction: counted(db.transaction) as Database['transaction'],
  };
}

/** Learns what searches are planned with, as a database of this size has done every ten minutes. */
export async function learnStatistics({ services }: TestServer): Promise<void> {
  const all = recurringOf(services, new AbortController().signal);
  const job = all.find(({ name }) => name === 'learnSearchStatistics');
  if (job === undefined) throw new Error('No job learns the statistics of searches.');
  await job.run({ db: services.db, log: quiet, now: services.now });
}

/** Runs each of them, and returns the names of those that did enough. */
export async function runJobs({ services }: TestServer): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const capped: string[] = [];
  for (const lateMs of [0, yearMs]) {
    const now = () => new Date(Date.now() + lateMs);
    for (const job of recurringOf({ ...services, now }, signal)) {
      const db = countedDatabase(services.db);
      await job.run({ db, log: quiet, now }).catch((error: unknown) => {
        if (!(error instanceof Enough)) throw error;
        capped.push(job.name);
      });
    }
  }
  return capped;
}
