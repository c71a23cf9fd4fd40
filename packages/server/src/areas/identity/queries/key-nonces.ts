// Statements on the nonces that agents sign to register a key.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';

/** A nonce of an agent; only its SHA-256 is stored. */
export interface NonceKey {
  readonly bucket: number;
  readonly agentId: string;
  readonly hash: Buffer;
}

export function insertKeyNonce(tx: Tx, nonce: NonceKey, expiresAt: Date): Promise<number> {
  return tx.run(sql`
    insert into key_nonces (bucket, agent_id, hash, expires_at)
    values (${nonce.bucket}, ${nonce.agentId}, ${nonce.hash}, ${expiresAt.toISOString()})`);
}

/** Marks a valid nonce as used: 1 row for the first use, else 0. */
export function setNonceUsed(tx: Tx, nonce: NonceKey, now: Date): Promise<number> {
  return tx.run(sql`
    update key_nonces
    set used_at = ${now.toISOString()}
    where bucket = ${nonce.bucket}
      and agent_id = ${nonce.agentId}
      and hash = ${nonce.hash}
      and used_at is null
      and expires_at > ${now.toISOString()}`);
}

export function findKeyNonce(
  db: Db,
  nonce: NonceKey,
): Promise<{ used_at: string | null } | undefined> {
  return db.first(sql<{ used_at: string | null }>`
    select used_at
    from key_nonces
    where bucket = ${nonce.bucket} and agent_id = ${nonce.agentId} and hash = ${nonce.hash}`);
}

/** Deletes at most `limit` nonces that expired before `before`. */
export function deleteKeyNonces(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by age
    with old as materialized (
      select bucket, agent_id, hash
      from key_nonces
      where expires_at < ${before.toISOString()}
      ${justFirst(limit)}
    )
    delete from key_nonces
    using old
    where key_nonces.bucket = old.bucket
      and key_nonces.agent_id = old.agent_id
      and key_nonces.hash = old.hash`);
}
