// Statements on sessions of the web application.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface SessionRow {
  readonly id: string;
  readonly device: string;
  readonly network: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

export interface NewSession extends RowKey {
  readonly principalId: string;
  readonly hash: Buffer;
  readonly device: string;
  readonly network: string | null;
  /** The token whose link opened it, if one did. */
  readonly tokenId: string | null;
  /** Whether it was opened with a passkey. */
  readonly isChecked: boolean;
  readonly now: Date;
  readonly expiresAt: Date;
  /** How many sessions the account may have, with this one. */
  readonly max: number;
}

/**
 * Locks an account that is not closed until the commit, so that sessions are opened one after the other, and
 * an account that is being closed gets none afterwards.
 */
export function lockOpenAccount(
  tx: Tx,
  { bucket, id }: RowKey,
): Promise<{ readonly username: string } | undefined> {
  return tx.first(sql<{ readonly username: string }>`
    select username
    from principals
    where bucket = ${bucket} and id = ${id} and status <> 'closed'
    for no key update`);
}

/**
 * Inserts a session of an account that is locked. If the account has as many as it may have, those that were
 * not used for the longest time end.
 */
export function insertSession(tx: Tx, session: NewSession): Promise<number> {
  const { bucket, principalId } = session;
  const now = session.now.toISOString();
  return tx.run(sql`
    with ended as (
      delete from sessions
      where bucket = ${bucket}
        and principal_id = ${principalId}
        and id in (
          select id
          from (
            select id, row_number() over (order by last_used_at desc, id desc) as place
            from sessions
            where bucket = ${bucket} and principal_id = ${principalId}
          ) as own
          where place >= ${session.max}
        )
    )
    insert into sessions (
      bucket, id, principal_id, hash, device, network, created_at, last_used_at, checked_at, expires_at,
      token_id
    )
    values (
      ${bucket}, ${session.id}, ${principalId}, ${session.hash}, ${session.device}, ${session.network},
      ${now}, ${now}, ${session.isChecked ? now : null}, ${session.expiresAt.toISOString()},
      ${session.tokenId}
    )`);
}

export interface Open {
  readonly now: Date;
  /** A session that was not used since then has ended. */
  readonly idleSince: Date;
}

/** Lists the newest sessions of an account that have not ended, the newest first. */
export function listSessions(
  db: Db,
  { bucket, id }: RowKey,
  { now, idleSince }: Open,
  limit: number,
): Promise<readonly SessionRow[]> {
  return db.rows(sql<SessionRow>`
    select s.id, s.device, s.network, s.created_at, s.last_used_at, s.expires_at
    from sessions s
    left join tokens t on t.bucket = s.bucket and t.id = s.token_id
    where s.bucket = ${bucket}
      and s.principal_id = ${id}
      and s.expires_at > ${now.toISOString()}
      and s.last_used_at > ${idleSince.toISOString()}
      and (
        s.token_id is null
        or t.id = s.token_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now.toISOString()})
      )
    order by s.id desc
    ${justFirst(limit)}`);
}

export function deleteSession(tx: Tx, owner: RowKey, sessionId: string): Promise<number> {
  return tx.run(sql`
    delete from sessions
    where bucket = ${owner.bucket} and id = ${sessionId} and principal_id = ${owner.id}`);
}

/**
 * Ends every session of an account, and every link that would open one. The links come first: their deletion waits for
 * a transaction that is opening a session with one, and the later statement sees that session.
 */
export function deleteSessions(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  void tx.run(sql`
    delete from web_links
    where bucket = ${bucket} and principal_id = ${id}`);
  return tx.run(sql`
    delete from sessions
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** Deletes by what an account could sign in before it had a passkey, except for the session of the request. */
export function deleteOtherSignIns(
  tx: Tx,
  { bucket, id }: RowKey,
  sessionId: string,
): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from sessions
      where bucket = ${bucket} and principal_id = ${id} and id <> ${sessionId}
    ), without_codes as (
      delete from recovery_codes
      where bucket = ${bucket} and principal_id = ${id}
    )
    delete from web_links
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** Deletes at most `limit` sessions that have expired, or that were last used before `idleSince`. */
export function deleteEndedSessions(
  tx: Tx,
  { now, idleSince }: Open,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by age
    with old as materialized (
      select bucket, id
      from sessions
      where expires_at <= ${now.toISOString()} or last_used_at <= ${idleSince.toISOString()}
      ${justFirst(limit)}
    )
    delete from sessions
    using old
    where sessions.bucket = old.bucket and sessions.id = old.id`);
}
