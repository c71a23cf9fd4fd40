// Blocks requests at a lock of the database, so that a race happens for certain and not by luck.
import { sql } from '#database';
import type { Statement } from '#database';
import { untilSettled } from './edges.ts';
import type { Response, TestServer } from './harness.ts';
import { countOnWorkers } from './citus/workers.ts';
import { until } from './throw-away-database.ts';

/** The sessions of this database and server that wait for a lock; `like` is a part of their statements. */
export const sessionsAtLocks = (like = '') => sql`
  select pid
  from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ilike ${`%${like}%`}`;

/**
 * Waits until so many statements wait for a lock, on any server of the database. `like` is what their text
 * contains, with % between its parts: a distributed database writes the names of its shards into it.
 */
export function untilWaiting(server: TestServer, count: number, like = ''): Promise<void> {
  const statement = sessionsAtLocks(like);
  return until(`${count} wait for a lock ${like}`, async () => {
    const rows = await server.db.rows(statement);
    const { database } = server.services.connection;
    return rows.length + (await countOnWorkers(`${database}`, statement)) >= count;
  });
}

/**
 * Runs a statement that locks something, sends the requests that meet the lock, and commits once as many
 * of them wait for it. `meanwhile` runs while they wait. A pipeline first finishes its work: a job that met
 * the lock would be counted as a request.
 */
export async function blockedByLock<T = Response>(
  server: TestServer,
  locking: Statement,
  requests: readonly (() => Promise<T>)[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<readonly T[]> {
  if (server.services.config.role !== 'web') await untilSettled(server);
  const sent = await server.db.transaction(async (tx) => {
    await tx.run(locking);
    const answers = requests.map((request) => request());
    await untilWaiting(server, requests.length);
    await meanwhile();
    return { answers };
  });
  return Promise.all(sent.answers);
}

/** Two requests that meet the lock of a statement one after the other: the first one goes first. */
export async function inTurn(
  server: TestServer,
  locking: Statement,
  [sooner, other]: readonly [() => Promise<Response>, () => Promise<Response>],
): Promise<readonly (Response | undefined)[]> {
  let later: Promise<Response> | undefined;
  const [earlier] = await blockedByLock(server, locking, [sooner], async () => {
    later = other();
    await untilWaiting(server, 2);
  });
  return [earlier, await later];
}
