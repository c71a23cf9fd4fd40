// Statements on one-time links that open a session.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { Secret } from '#lib/bucket-secret';

export interface NewWebLink {
  readonly principalId: string;
  readonly secret: Secret;
  /** The token that made it; null for a session. */
  readonly tokenId: string | null;
  readonly expiresAt: Date;
  /** How many links the account may have, with this one. */
  readonly max: number;
}

/**
 * Inserts a link. If the account has as many as it may have, used or not, the oldest ones are deleted. Two
 * requests at once may leave one too many; the next one deletes it.
 */
export function insertWebLink(tx: Tx, link: NewWebLink): Promise<number> {
  const { principalId, secret, tokenId, expiresAt, max } = link;
  const { bucket, hash } = secret;
  return tx.run(sql`
    with old as (
      delete from web_links
      where bucket = ${bucket}
        and hash in (
          select hash
          from (
            select hash, row_number() over (order by expires_at desc, hash) as place
            from web_links
            where bucket = ${bucket} and principal_id = ${principalId}
          ) as own
          where place >= ${max}
        )
    )
    insert into web_links (bucket, principal_id, hash, token_id, expires_at)
    values (${bucket}, ${principalId}, ${hash}, ${tokenId}, ${expiresAt.toISOString()})`);
}

export interface WebLinkRow {
  readonly principal_id: string;
  readonly username: string;
  readonly token_id: string | null;
}

/**
 * Returns the account of a link that is neither used nor expired; undefined too if the account is closed, or
 * the token that made the link was revoked or has expired.
 */
export function findWebLink(
  db: Db,
  { bucket, hash }: Secret,
  now: Date,
): Promise<WebLinkRow | undefined> {
  return db.first(sql<WebLinkRow>`
    select l.principal_id, p.username, l.token_id
    from web_links l
    join principals p on p.bucket = l.bucket and p.id = l.principal_id
    left join tokens t on t.bucket = l.bucket and t.id = l.token_id
    where l.bucket = ${bucket}
      and l.hash = ${hash}
      and l.used_at is null
      and l.expires_at > ${now.toISOString()}
      and p.status <> 'closed'
      and (
        l.token_id is null
        or t.id = l.token_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now.toISOString()})
      )`);
}

/** Uses up a link: 1 row for its first use before its end, else 0. */
export function setWebLinkUsed(tx: Tx, { bucket, hash }: Secret, now: Date): Promise<number> {
  return tx.run(sql`
    update web_links
    set used_at = ${now.toISOString()}
    where bucket = ${bucket} and hash = ${hash} and used_at is null and expires_at > ${now.toISOString()}`);
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
