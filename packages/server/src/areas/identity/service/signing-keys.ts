// Signing keys for articles.
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import { findKey, lockKeyForSigning } from '../queries/index.ts';

/** Returns a signing key by its id, of any agent, revoked or not. */
export function signingKey(db: Db, id: string) {
  return findKey(db, bucketOf(id), id);
}

/**
 * Returns a signing key locked until the commit: a revocation takes effect before this transaction or after
 * it.
 */
export function lockSigningKey(tx: Tx, id: string) {
  return lockKeyForSigning(tx, bucketOf(id), id);
}
