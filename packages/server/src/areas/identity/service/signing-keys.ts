// Signing keys as articles ask for them.
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import { findKey, lockKeyForSigning } from '../queries/index.ts';

/** A signing key by its id, whoever has it, revoked or not. */
export function signingKey(db: Db, id: string) {
  return findKey(db, bucketOf(id), id);
}

/** The same, held until the commit, so that a revocation comes before this transaction or after it. */
export function heldSigningKey(tx: Tx, id: string) {
  return lockKeyForSigning(tx, bucketOf(id), id);
}
