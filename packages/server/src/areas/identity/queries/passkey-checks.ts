// Statements of a passkey check: the session that it is for, and how many passkeys the account has.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

/**
 * Locks a session until the commit, so that it ends before this transaction or after it. The lock excludes
 * itself: with a shared one, two transactions that then change the session would wait for each other.
 */
export function lockSession(
  tx: Tx,
  owner: RowKey,
  sessionId: string,
): Promise<{ readonly checked_at: string | null } | undefined> {
  return tx.first(sql<{ checked_at: string | null }>`
    select checked_at
    from sessions
    where bucket = ${owner.bucket} and id = ${sessionId} and principal_id = ${owner.id}
    for no key update`);
}

/** Returns the token whose link opened a session, and its end; undefined for a session without one. */
export function findTokenOfSession(
  db: Db,
  { bucket, id }: RowKey,
): Promise<{ readonly id: string; readonly expires_at: string | null } | undefined> {
  return db.first(sql<{ id: string; expires_at: string | null }>`
    select t.id, t.expires_at
    from sessions s
    join tokens t on t.bucket = s.bucket and t.id = s.token_id
    where s.bucket = ${bucket} and s.id = ${id}`);
}

/** From now on the session is that of the person, not of the token whose link opened it. */
export function setSessionChecked(tx: Tx, { bucket, id }: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update sessions
    set checked_at = ${now.toISOString()}, token_id = null
    where bucket = ${bucket} and id = ${id}`);
}

/**
 * Takes the checks of an account back, except that of one session: nothing says with which passkey the others were
 * made.
 */
export function deleteOtherChecks(
  tx: Tx,
  { bucket, id }: RowKey,
  sessionId: string,
): Promise<number> {
  return tx.run(sql`
    update sessions
    set checked_at = null
    where bucket = ${bucket}
      and principal_id = ${id}
      and id <> ${sessionId}
      and checked_at is not null`);
}

export async function countPasskeys(db: Db, { bucket, id }: RowKey): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::integer as count
    from passkeys
    where bucket = ${bucket} and principal_id = ${id}`);
  return row?.count ?? 0;
}

/**
 * Locks the account, so that changes of its passkeys follow each other, and counts them. The second statement
 * sees what was committed while the first one waited.
 */
export function lockPasskeys(tx: Tx, account: RowKey): Promise<number> {
  void tx.run(sql`
    select id
    from principals
    where bucket = ${account.bucket} and id = ${account.id}
    for no key update`);
  return countPasskeys(tx, account);
}
