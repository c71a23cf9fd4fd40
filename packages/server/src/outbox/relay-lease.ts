// The right to move messages, which one relay has at a time.
import { lockNumbers, lockSpace, sql } from '#database';
import type { Ask } from './dedicated-connection.ts';

/** Takes the right to move messages. It ends with the transaction, so it cannot outlive its process. */
export async function hasLease(ask: Ask): Promise<boolean> {
  const rows = await ask(
    sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(${lockSpace}::integer, ${lockNumbers.relay}::integer) as held`,
  );
  return rows[0]?.held === true;
}

/**
 * Takes the same right for several transactions. It ends with `returnLease`, or with the connection: the database
 * ends a session that stands still between them, as it ends one that stands still within a transaction.
 */
export async function takeLease(ask: Ask): Promise<boolean> {
  const rows = await ask(
    sql<{ held: boolean }>`
      with lease as materialized (
        select pg_try_advisory_lock(${lockSpace}::integer, ${lockNumbers.relay}::integer) as held
      )
      select held, case when held then set_config('idle_session_timeout', '10s', false) end as timeout
      from lease`,
  );
  return rows[0]?.held === true;
}

/** Gives it back. The connection listens for wake-ups from now on, so it may be idle again. */
export async function returnLease(ask: Ask): Promise<void> {
  // Null is the value that the session began with.
  await ask(sql`
    select pg_advisory_unlock(${lockSpace}::integer, ${lockNumbers.relay}::integer),
      set_config('idle_session_timeout', null, false)`);
}
