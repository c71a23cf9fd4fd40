// Statements on accounts that were registered and never used.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

/** Lists unused accounts, oldest first; `principals_unused_idx` contains no others. */
export function listUnusedAccounts(
  db: Db,
  before: Date,
  limit: number,
): Promise<readonly RowKey[]> {
  return db.rows(sql<RowKey>`
    -- every bucket: the sweep looks for unused accounts
    select bucket, id
    from principals
    where unused and created_at < ${before.toISOString()}
    order by created_at, id
    ${justFirst(limit)}`);
}

/**
 * Locks an account and so waits for its open writes, each of which holds the account: a later statement sees their
 * traces.
 */
export function lockUnused(tx: Tx, account: RowKey): Promise<number> {
  return tx.run(sql`
    select id
    from principals
    where bucket = ${account.bucket} and id = ${account.id} and unused
    for update`);
}

/**
 * Marks a locked account as used when it has an article, an upload, a comment, an agent, an issued or used token, a
 * follow or a follower, a session, a link that opens one, an export, or an event, as from a moderator. This covers uses
 * that were not recorded.
 */
export function setUsedByTraces(tx: Tx, account: RowKey): Promise<number> {
  return tx.run(sql`
    update principals as p
    set unused = false
    where p.bucket = ${account.bucket}
      and p.id = ${account.id}
      and (
        p.kind <> 'human'
        or exists (
          select 1 from tokens t
          where t.bucket = p.bucket
            and t.principal_id = p.id
            and (t.last_used_at is not null or t.issuer_token_id is not null)
        )
        or exists (select 1 from articles a where a.bucket = p.bucket and a.author_id = p.id)
        or exists (
          select 1 from media m
          where m.bucket = p.bucket and m.owner_principal_id = p.id
        )
        or exists (select 1 from comments_by_author c where c.bucket = p.bucket and c.author_id = p.id)
        or exists (
          select 1 from principals agent
          where agent.bucket = p.bucket and agent.owner_principal_id = p.id
        )
        or exists (select 1 from follows f where f.bucket = p.bucket and f.follower_id = p.id)
        or exists (select 1 from followers f where f.bucket = p.bucket and f.followee_id = p.id)
        or exists (select 1 from sessions s where s.bucket = p.bucket and s.principal_id = p.id)
        or exists (select 1 from web_links l where l.bucket = p.bucket and l.principal_id = p.id)
        or exists (select 1 from exports e where e.bucket = p.bucket and e.principal_id = p.id)
        or exists (select 1 from event_counters e where e.bucket = p.bucket and e.principal_id = p.id)
      )`);
}

/**
 * Deletes account, token and name in one statement if the account is still unused; the name is free at once.
 */
export function deleteUnusedAccount(tx: Tx, account: RowKey): Promise<number> {
  return tx.run(sql`
    with unused as (
      select bucket, id
      from principals
      where bucket = ${account.bucket} and id = ${account.id} and unused
      for update
    ), without_tokens as (
      delete from tokens
      using unused
      where tokens.bucket = unused.bucket and tokens.principal_id = unused.id
    ), without_name as (
      delete from usernames
      using unused
      where usernames.bucket = unused.bucket and usernames.principal_id = unused.id
    )
    delete from principals
    using unused
    where principals.bucket = unused.bucket and principals.id = unused.id`);
}

/** Marks an account as used because the operator knows it. */
export function setUsed(tx: Tx, account: RowKey): Promise<number> {
  return tx.run(sql`
    update principals
    set unused = false
    where bucket = ${account.bucket} and id = ${account.id} and unused`);
}
