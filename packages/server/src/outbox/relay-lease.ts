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

/** Takes the same right for several transactions. It ends with `returnLease`, or with the connection. */
export async function takeLease(ask: Ask): Promise<boolean> {
  const rows = await ask(
    sql<{ held: boolean }>`
      select pg_try_advisory_lock(${lockSpace}::integer, ${lockNumbers.relay}::integer) as held`,
  );
  return rows[0]?.held === true;
}

/** Gives it back; without effect for a connection that has not taken it. */
export async function returnLease(ask: Ask): Promise<void> {
  await ask(sql`select pg_advisory_unlock(${lockSpace}::integer, ${lockNumbers.relay}::integer)`);
}
