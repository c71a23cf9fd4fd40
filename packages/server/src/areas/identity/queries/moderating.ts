// Statements that lock a principal for moderation and change its state, and that lock a scope.
import type { Scope } from '@colophon/contract';
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import type { LockedTarget, Moderated } from '#lib/moderated';
import type { RowKey } from '#lib/id';

/**
 * Locks the principal until the transaction ends. An agent of a closed owner stays suspended. A later statement reads
 * it: after a wait, a join in the one that locks would still return the owner from before the account was closed.
 */
export function lockModeratedPrincipal(tx: Tx, key: RowKey): Promise<LockedTarget | undefined> {
  void tx.run(sql`
    select id
    from principals
    where bucket = ${key.bucket} and id = ${key.id}
    for no key update`);
  return tx.first(sql<LockedTarget>`
    select
      p.id as author_id, p.owner_principal_id, p.status, p.deindexed, null as removed_at,
      false as removed_legally, null as reason_code,
      case when o.status = 'closed' then 'suspended' else 'active' end as own_status,
      null as own_removed_at
    from principals p
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    where p.bucket = ${key.bucket} and p.id = ${key.id}`);
}

/** Sets the state of a locked principal. */
export function setModeratedPrincipal(tx: Tx, key: RowKey, state: Moderated): Promise<number> {
  return tx.run(sql`
    update principals
    set status = ${state.status}, deindexed = ${state.deindexed}
    where bucket = ${key.bucket} and id = ${key.id} and status <> 'closed'`);
}

/**
 * Waits for the open writes of an account and its agents, with a row lock that conflicts with every write.
 */
export function lockWithAgents(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    select id
    from principals
    where bucket = ${bucket} and (id = ${id} or owner_principal_id = ${id})
    order by id
    for update`);
}

/** Returns whether an account is active and not de-indexed. */
export async function existsFindable(db: Db, key: RowKey): Promise<boolean> {
  const row = await db.first(sql<{ id: string }>`
    select id
    from principals
    where bucket = ${key.bucket} and id = ${key.id} and status = 'active' and not deindexed`);
  return row !== undefined;
}

/**
 * Returns the scopes of a valid token, locked until the commit: a concurrent removal commits before or waits.
 */
export async function lockScopes(
  tx: Tx,
  token: RowKey,
  now: Date,
): Promise<readonly Scope[] | undefined> {
  const row = await tx.first(sql<{ scopes: readonly Scope[] }>`
    select scopes
    from tokens
    where bucket = ${token.bucket}
      and id = ${token.id}
      and revoked_at is null
      and (expires_at is null or expires_at > ${now.toISOString()})
    for share`);
  return row?.scopes;
}

/** What moderators see of an account, in any state. */
export interface AccountRow {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly trust_level: number;
  readonly owner_principal_id: string | null;
  readonly created_at: string;
}

/** Returns these accounts in any state, ordered by id. */
export function listAccounts(db: Db, ids: readonly string[]): Promise<readonly AccountRow[]> {
  return db.rows(sql<AccountRow>`
    select
      p.id, p.kind, p.username, p.display_name, p.status, p.trust_level, p.owner_principal_id,
      p.created_at
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    order by p.id`);
}

/** Returns those of these people who are active and have a valid token that carries the scope. */
export async function listActiveHolders(
  db: Db,
  ids: readonly string[],
  scope: Scope,
  now: Date,
): Promise<readonly string[]> {
  // On several servers, an empty list would ask all of them.
  if (ids.length === 0) return [];
  const rows = await db.rows(sql<{ readonly id: string }>`
    select p.id
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    where p.status = 'active'
      and exists (
        select 1 from tokens t
        where t.bucket = p.bucket
          and t.principal_id = p.id
          and t.revoked_at is null
          and (t.expires_at is null or t.expires_at > ${now.toISOString()})
          and ${scope} = any(t.scopes)
      )
    order by p.id`);
  return rows.map(({ id }) => id);
}

/** Returns the scopes, out of these, that valid tokens of a person carry. */
export async function listGrantedScopes(
  db: Db,
  person: RowKey,
  scopes: readonly Scope[],
  now: Date,
): Promise<readonly Scope[]> {
  const rows = await db.rows(sql<{ readonly scope: Scope }>`
    select wanted.scope
    from unnest(${scopes}::text[]) as wanted (scope)
    where exists (
      select 1 from tokens t
      where t.bucket = ${person.bucket}
        and t.principal_id = ${person.id}
        and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > ${now.toISOString()})
        and wanted.scope = any(t.scopes)
    )
    order by wanted.scope`);
  return rows.map(({ scope }) => scope);
}

/**
 * Locks a valid token of a person that carries a scope until the commit: a concurrent removal of the scope commits
 * before or waits. Returns whether there is one.
 */
export async function lockHolder(
  tx: Tx,
  person: RowKey,
  scope: Scope,
  now: Date,
): Promise<boolean> {
  const row = await tx.first(sql<{ id: string }>`
    select id
    from tokens
    where bucket = ${person.bucket}
      and principal_id = ${person.id}
      and revoked_at is null
      and (expires_at is null or expires_at > ${now.toISOString()})
      and ${scope} = any(scopes)
    order by id
    limit 1
    for share`);
  return row !== undefined;
}

/** Returns a valid token of a principal that carries one of these scopes. */
export function findHolder(
  db: Db,
  principal: RowKey,
  scopes: readonly Scope[],
  now: Date,
): Promise<{ readonly id: string } | undefined> {
  return db.first(sql<{ readonly id: string }>`
    select t.id
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    where t.bucket = ${principal.bucket}
      and t.principal_id = ${principal.id}
      and p.kind = 'human'
      and p.status <> 'closed'
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${now.toISOString()})
      and t.scopes && ${scopes}::text[]
    order by t.id
    limit 1`);
}
