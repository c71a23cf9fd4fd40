// SHA-256 for the log, in one call and without waiting: proofs need many small hashes.
import type { Sha256 } from '@colophon/tlog';
import { sha256 as sha256Of } from '@noble/hashes/sha2.js';

/** SHA-256 of the concatenation of its arguments. */
export const sha256: Sha256 = (...bytes) => {
  const hash = sha256Of.create();
  for (const part of bytes) hash.update(part);
  return hash.digest();
};
