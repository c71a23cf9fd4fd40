// Statements on the signing keys of agents, and on which of them are active.
import { atMost, whenGiven, sql } from '#database';
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';

/** The columns that decide who may manage an agent's keys. */
export interface KeyHolder {
  readonly kind: 'human' | 'agent';
  readonly owner_principal_id: string | null;
  readonly status: 'active' | 'suspended' | 'closed';
}

/** Locks the account until the commit, so that an account that is being closed gets no key afterwards. */
export function lockKeyHolder(tx: Tx, bucket: number, id: string): Promise<KeyHolder | undefined> {
  return tx.first(sql<KeyHolder>`
    select kind, owner_principal_id, status
    from principals
    where bucket = ${bucket} and id = ${id}
    for share`);
}

export interface KeyRow {
  readonly id: string;
  readonly agent_id: string;
  readonly public_key: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly compromised_at: string | null;
}

const keyColumns = sql`id, agent_id, public_key, label, created_at, revoked_at, compromised_at`;

/** Returns a signing key by its id, of any agent, revoked or not. */
export function findKey(db: Db, id: string): Promise<KeyRow | undefined> {
  return db.first(sql<KeyRow>`
    select ${keyColumns}
    from signing_keys
    where bucket = ${bucketOf(id)} and id = ${id}`);
}

/**
 * Locks the key until the commit. A revocation waits for this transaction, or this transaction for the
 * revocation.
 */
export function lockKeyForSigning(tx: Tx, id: string): Promise<KeyRow | undefined> {
  return tx.first(sql<KeyRow>`
    select ${keyColumns}
    from signing_keys
    where bucket = ${bucketOf(id)} and id = ${id}
    for share`);
}

/** Waits for every open signing with the key and blocks new ones. */
export function lockKeyForRevocation(tx: Tx, bucket: number, id: string): Promise<number> {
  return tx.run(sql`
    select id
    from signing_keys
    where bucket = ${bucket} and id = ${id}
    for update`);
}

export interface NewKey extends RowKey {
  readonly agentId: string;
  readonly publicKey: string;
  readonly label: string | null;
  readonly now: Date;
}

export function insertKey(tx: Tx, key: NewKey): Promise<number> {
  return tx.run(sql`
    insert into signing_keys (bucket, id, agent_id, public_key, label, created_at)
    values (
      ${key.bucket}, ${key.id}, ${key.agentId}, ${key.publicKey}, ${key.label},
      ${key.now.toISOString()}
    )`);
}

/** A public key in the bucket of its own hash, where it is unique while it is active or compromised. */
export interface ActiveKey {
  readonly bucket: number;
  readonly publicKey: string;
  readonly keyId: string;
}

/** Inserts nothing when the key is active for any agent, or compromised: then `findTaken` says which. */
export function insertActiveKey(tx: Tx, key: ActiveKey): Promise<number> {
  return tx.run(sql`
    insert into active_keys (bucket, public_key, key_id)
    values (${key.bucket}, ${key.publicKey}, ${key.keyId})
    on conflict on constraint active_keys_public_key_pkey do nothing`);
}

/** A separate statement after the insertion: it sees the revocation for which that one waited. */
export function findTaken(
  tx: Tx,
  key: Omit<ActiveKey, 'keyId'>,
): Promise<{ readonly compromised: boolean } | undefined> {
  return tx.first(sql<{ compromised: boolean }>`
    select compromised
    from active_keys
    where bucket = ${key.bucket} and public_key = ${key.publicKey}`);
}

/**
 * Deletes nothing when a later registration of the same public key is the active one, or when the key is
 * compromised.
 */
export function deleteActiveKey(tx: Tx, key: ActiveKey): Promise<number> {
  return tx.run(sql`
    delete from active_keys
    where bucket = ${key.bucket}
      and public_key = ${key.publicKey}
      and key_id = ${key.keyId}
      and not compromised`);
}

/** Keeps the public key from every later registration, even when another record of it is active now. */
export function setKeyCompromised(tx: Tx, key: ActiveKey): Promise<number> {
  return tx.run(sql`
    insert into active_keys (bucket, public_key, key_id, compromised)
    values (${key.bucket}, ${key.publicKey}, ${key.keyId}, true)
    on conflict on constraint active_keys_public_key_pkey do update
    set compromised = true`);
}

export interface Revocation {
  readonly bucket: number;
  readonly agentId: string;
  readonly id: string;
  readonly compromisedAt: string | null;
  readonly now: Date;
}

/**
 * Revokes a key permanently. The time of the first revocation stays, and the time of the compromise only
 * moves back. The key must be locked: then no accepted signature is later than the revocation, even if clocks
 * differ.
 */
export function setKeyRevoked(
  tx: Tx,
  revocation: Revocation,
): Promise<{ public_key: string; compromised_at: string | null } | undefined> {
  return tx.first(sql<{ public_key: string; compromised_at: string | null }>`
    update signing_keys
    set
      revoked_at = coalesce(
        revoked_at,
        greatest(
          ${revocation.now.toISOString()}::timestamptz,
          (
            select max(r.signed_at)
            from revisions r
            where r.bucket = ${revocation.bucket} and r.signature_key_id = ${revocation.id}
          )
        )
      ),
      compromised_at = least(compromised_at, ${revocation.compromisedAt}::timestamptz)
    where bucket = ${revocation.bucket}
      and agent_id = ${revocation.agentId}
      and id = ${revocation.id}
    returning public_key, compromised_at`);
}

export interface KeyPage {
  readonly bucket: number;
  readonly agentId: string;
  readonly before: string | undefined;
  readonly limit: number;
}

export function listKeys(db: Db, page: KeyPage): Promise<readonly KeyRow[]> {
  return db.rows(sql<KeyRow>`
    select ${keyColumns}
    from signing_keys
    ${sql.where([
      sql`bucket = ${page.bucket} and agent_id = ${page.agentId}`,
      whenGiven(page.before, (id) => sql`id < ${id}`),
    ])}
    order by id desc
    ${atMost(page.limit + 1)}`);
}
