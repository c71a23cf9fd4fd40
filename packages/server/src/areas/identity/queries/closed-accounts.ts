// Statements on accounts that are closed: what is deleted of them afterwards, and how far that is.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface RevokedKey {
  readonly id: string;
  readonly public_key: string;
}

/** Lists the keys of a closed account's agents, in pages. */
export function listKeysOfAgents(
  db: Db,
  owner: RowKey,
  after: string,
  limit: number,
): Promise<readonly RevokedKey[]> {
  return db.rows(sql<RevokedKey>`
    select k.id, k.public_key
    from principals p
    join signing_keys k on k.bucket = p.bucket and k.agent_id = p.id
    where p.bucket = ${owner.bucket} and p.owner_principal_id = ${owner.id} and k.id > ${after}
    order by k.id
    ${justFirst(limit)}`);
}

/**
 * Frees the public keys for registration by others, except compromised ones; each row is in the bucket of the
 * key's own hash.
 */
export function deleteActiveKeys(
  tx: Tx,
  keys: readonly { readonly bucket: number; readonly publicKey: string; readonly keyId: string }[],
): Promise<number> {
  return tx.run(sql`
    delete from active_keys a
    using unnest(
      ${keys.map(({ bucket }) => bucket)}::smallint[], ${keys.map(({ publicKey }) => publicKey)}::text[],
      ${keys.map(({ keyId }) => keyId)}::text[]
    ) as k (bucket, public_key, key_id)
    where a.bucket = k.bucket
      and a.public_key = k.public_key
      and a.key_id = k.key_id
      and not a.compromised`);
}

/** Clears the personal data that a closed account leaves in the tokens of its agents. */
export async function deleteTraces(tx: Tx, { bucket, id }: RowKey): Promise<void> {
  await tx.run(sql`
    update tokens t
    set name = 'token of a closed account'
    from principals p
    where p.bucket = ${bucket}
      and p.owner_principal_id = ${id}
      and t.bucket = p.bucket
      and t.principal_id = p.id`);
}

/** Marks the deletion of a closed account's data as finished. This is its last step. */
export function setForgotten(tx: Tx, { bucket, id }: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    update closings
    set forgotten_at = ${now.toISOString()}
    where bucket = ${bucket} and principal_id = ${id} and forgotten_at is null`);
}

/** Deletes names whose reservation has ended, so that only the id of a closed account remains. */
export function deleteLapsedUsernames(tx: Tx, now: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by time
    with lapsed as materialized (
      select bucket, skeleton
      from usernames
      where reserved_until <= ${now.toISOString()}
      ${justFirst(limit)}
    )
    delete from usernames
    using lapsed
    where usernames.bucket = lapsed.bucket
      and usernames.skeleton = lapsed.skeleton
      and usernames.reserved_until <= ${now.toISOString()}`);
}

/** Counts closed accounts whose data is not deleted yet. */
export async function countClosings(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: the operator's view
    select count(*)::integer as count
    from closings
    where forgotten_at is null`);
  return row?.count ?? 0;
}
