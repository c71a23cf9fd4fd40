// Statements on sessions of the web application, and on one-time links that open one.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { Secret } from '#lib/bucket-secret';
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
  /** Whether it was opened with a passkey. */
  readonly isChecked: boolean;
  readonly now: Date;
  readonly expiresAt: Date;
}

/**
 * Inserts a session of an account that is not closed. The account is locked until the commit, so that one that
 * is being closed gets no session afterwards: then 0 rows.
 */
export function insertSession(tx: Tx, session: NewSession): Promise<number> {
  const now = session.now.toISOString();
  return tx.run(sql`
    with account as (
      select id
      from principals
      where bucket = ${session.bucket} and id = ${session.principalId} and status <> 'closed'
      for key share
    )
    insert into sessions (
      bucket, id, principal_id, hash, device, network, created_at, last_used_at, checked_at, expires_at
    )
    select
      ${session.bucket}::smallint, ${session.id}, account.id, ${session.hash}::bytea, ${session.device},
      ${session.network}::text, ${now}::timestamptz, ${now}::timestamptz,
      ${session.isChecked ? now : null}::timestamptz, ${session.expiresAt.toISOString()}::timestamptz
    from account`);
}

/** Lists the newest sessions of an account that have not ended, the newest first. */
export function listSessions(
  db: Db,
  { bucket, id }: RowKey,
  now: Date,
  idleSince: Date,
): Promise<readonly SessionRow[]> {
  return db.rows(sql<SessionRow>`
    select id, device, network, created_at, last_used_at, expires_at
    from sessions
    where bucket = ${bucket}
      and principal_id = ${id}
      and expires_at > ${now.toISOString()}
      and last_used_at > ${idleSince.toISOString()}
    order by id desc
    ${justFirst(100)}`);
}

export function setSessionChecked(tx: Tx, { bucket, id }: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update sessions
    set checked_at = ${now.toISOString()}
    where bucket = ${bucket} and id = ${id}`);
}

export function deleteSession(tx: Tx, owner: RowKey, sessionId: string): Promise<number> {
  return tx.run(sql`
    delete from sessions
    where bucket = ${owner.bucket} and id = ${sessionId} and principal_id = ${owner.id}`);
}

/** Ends every session of an account, and every link that would open one. */
export function deleteSessions(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from sessions
      where bucket = ${bucket} and principal_id = ${id}
    )
    delete from web_links
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** Deletes by what an account could sign in before it had a passkey, but for the session of the request. */
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

/**
 * Locks a session until the commit, so that it ends before this transaction or after it. The lock excludes
 * itself: with a shared one, two transactions that then change the session would wait for each other.
 */
export function lockSession(tx: Tx, owner: RowKey, sessionId: string): Promise<number> {
  return tx.run(sql`
    select id
    from sessions
    where bucket = ${owner.bucket} and id = ${sessionId} and principal_id = ${owner.id}
    for no key update`);
}

/** Deletes everything by which a closed account could sign in. */
export function deleteSignIns(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from sessions
      where bucket = ${bucket} and principal_id = ${id}
    ), without_passkeys as (
      delete from passkeys
      where bucket = ${bucket} and principal_id = ${id}
    ), without_codes as (
      delete from recovery_codes
      where bucket = ${bucket} and principal_id = ${id}
    )
    delete from web_links
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** Deletes at most `limit` sessions whose time has ended. */
export function deleteExpiredSessions(tx: Tx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by age
    with old as materialized (
      select bucket, id
      from sessions
      where expires_at <= ${now.toISOString()}
      ${justFirst(limit)}
    )
    delete from sessions
    using old
    where sessions.bucket = old.bucket and sessions.id = old.id`);
}

export function insertWebLink(
  tx: Tx,
  principalId: string,
  { bucket, hash }: Secret,
  expiresAt: Date,
): Promise<number> {
  return tx.run(sql`
    insert into web_links (bucket, principal_id, hash, expires_at)
    values (${bucket}, ${principalId}, ${hash}, ${expiresAt.toISOString()})`);
}

/** Uses up a link and returns its account; undefined for a link that is unknown, used or expired. */
export async function setWebLinkUsed(
  tx: Tx,
  { bucket, hash }: Secret,
  now: Date,
): Promise<string | undefined> {
  const row = await tx.first(sql<{ principal_id: string }>`
    update web_links
    set used_at = ${now.toISOString()}
    where bucket = ${bucket} and hash = ${hash} and used_at is null and expires_at > ${now.toISOString()}
    returning principal_id`);
  return row?.principal_id;
}

/** Deletes at most `limit` links that have expired. */
export function deleteExpiredWebLinks(tx: Tx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by age
    with old as materialized (
      select bucket, hash
      from web_links
      where expires_at <= ${now.toISOString()}
      ${justFirst(limit)}
    )
    delete from web_links
    using old
    where web_links.bucket = old.bucket and web_links.hash = old.hash`);
}
