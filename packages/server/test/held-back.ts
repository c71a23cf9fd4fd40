// Holds requests back at a lock of the database, so that a race is a certainty and not a matter of luck.
import { sql } from '#database';
import type { Statement } from '#database';
import type { Response, TestServer } from './harness.ts';
import { until } from './throw-away-database.ts';

/**
 * Runs a statement that locks something, sends the requests that meet the lock, and commits once as many
 * of them wait for it. `meanwhile` runs while they wait.
 */
export async function heldBack(
  server: TestServer,
  locking: Statement,
  requests: readonly (() => Promise<Response>)[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<readonly Response[]> {
  const sent = await server.db.transaction(async (tx) => {
    await tx.run(locking);
    const answers = requests.map((request) => request());
    await until('the requests wait for the lock', async () => {
      const waiting = await server.db.rows(sql`
        select pid
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting.length >= requests.length;
    });
    await meanwhile();
    return { answers };
  });
  return Promise.all(sent.answers);
}
