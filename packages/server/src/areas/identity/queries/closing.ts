// Statements that close an account: what ends at once.
import type { Treatment } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface LockedAgent {
  readonly id: string;
  readonly username: string;
  readonly status: 'active' | 'suspended' | 'closed';
}

/** Locks every agent of an owner until the transaction ends, and so waits for the agents' open writes. */
export function lockAgents(tx: Tx, owner: RowKey): Promise<readonly LockedAgent[]> {
  return tx.rows(sql<LockedAgent>`
    select id, username, status
    from principals
    where bucket = ${owner.bucket} and owner_principal_id = ${owner.id}
    order by id
    for update`);
}

export interface Closing extends RowKey {
  readonly pseudonym: string;
  readonly treatment: Treatment;
  readonly reason: string | null;
  readonly closedAt: Date;
}

/** Closes the account and stores the treatment chosen for its works. */
export function setClosed(tx: Tx, closing: Closing): Promise<number> {
  const { bucket, id, treatment } = closing;
  const closedAt = closing.closedAt.toISOString();
  return tx.run(sql`
    with kept as (
      insert into closings (bucket, principal_id, treatment, reason, closed_at)
      values (${bucket}, ${id}, ${treatment}, ${closing.reason}, ${closedAt})
    )
    update principals
    set status = 'closed', closed_at = ${closedAt}, treatment = ${treatment}, unused = false,
      username = ${closing.pseudonym}, display_name = null, bio = null, email = null
    where bucket = ${bucket} and id = ${id}`);
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

export interface Renamed {
  readonly id: string;
  readonly pseudonym: string;
}

/**
 * Suspends the agents of a closed account and clears their names and descriptions, which are its personal
 * data too.
 */
export function setAgentsSuspended(
  tx: Tx,
  bucket: number,
  agents: readonly Renamed[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update principals as p
    set status = 'suspended', closed_at = ${now.toISOString()}, username = a.pseudonym,
      display_name = null, bio = null
    from unnest(
      ${agents.map(({ id }) => id)}::text[], ${agents.map(({ pseudonym }) => pseudonym)}::text[]
    ) as a (id, pseudonym)
    where p.bucket = ${bucket} and p.id = a.id`);
}

/** Deletes every token of an account and returns how many of them were still valid. */
export async function deleteTokens(tx: Tx, { bucket, id }: RowKey, now: Date): Promise<number> {
  const row = await tx.first(sql<{ worked: number }>`
    with gone as (
      delete from tokens
      where bucket = ${bucket} and principal_id = ${id}
      returning revoked_at, expires_at
    )
    select count(*)::integer as worked
    from gone
    where revoked_at is null and (expires_at is null or expires_at > ${now.toISOString()})`);
  return row?.worked ?? 0;
}

/**
 * Revokes the keys of a closed account's agents and clears their labels, which are personal data. Signatures
 * stay. The agents must be locked: a publication that signed while the closing waited for them is not later than
 * the revocation, so its signature stays valid.
 */
export function setAgentKeysRevoked(
  tx: Tx,
  bucket: number,
  agentIds: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update signing_keys as k
    set
      revoked_at = coalesce(
        k.revoked_at,
        greatest(
          ${now.toISOString()}::timestamptz,
          (
            select max(r.signed_at)
            from revisions r
            where r.bucket = ${bucket} and r.signature_key_id = k.id
          )
        )
      ),
      label = null
    where k.bucket = ${bucket} and k.agent_id = any(${agentIds})`);
}

export interface NameKey {
  readonly bucket: number;
  readonly skeleton: string;
  readonly principalId: string;
}

/** Reserves names until the given time. A reserved name no longer resolves. */
export function setNamesReserved(tx: Tx, names: readonly NameKey[], until: Date): Promise<number> {
  return tx.run(sql`
    update usernames as u
    set reserved_until = ${until.toISOString()}
    from unnest(
      ${names.map(({ bucket }) => bucket)}::smallint[], ${names.map(({ skeleton }) => skeleton)}::text[],
      ${names.map(({ principalId }) => principalId)}::text[]
    ) as n (bucket, skeleton, principal_id)
    where u.bucket = n.bucket
      and u.skeleton = n.skeleton
      and u.principal_id = n.principal_id
      and u.reserved_until is null`);
}

export interface Pseudonym extends NameKey {
  readonly username: string;
}

/**
 * Makes pseudonyms findable like usernames. A pseudonym that another closed account already has stays with
 * that account.
 */
export function insertPseudonyms(tx: Tx, names: readonly Pseudonym[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into usernames (bucket, skeleton, username, principal_id, created_at)
    select n.bucket, n.skeleton, n.username, n.principal_id, ${now.toISOString()}::timestamptz
    from unnest(
      ${names.map(({ bucket }) => bucket)}::smallint[], ${names.map(({ skeleton }) => skeleton)}::text[],
      ${names.map(({ username }) => username)}::text[],
      ${names.map(({ principalId }) => principalId)}::text[]
    ) as n (bucket, skeleton, username, principal_id)
    on conflict on constraint usernames_skeleton_pkey
    do nothing`);
}
