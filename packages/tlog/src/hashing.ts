// Hashes of a Merkle tree (RFC 6962, section 2.1). The hash function is a parameter, so that this runs anywhere.

/** SHA-256 of the concatenation of its arguments: 32 bytes. */
export type Sha256 = (...bytes: readonly Uint8Array[]) => Uint8Array;

/** Bytes of a hash. */
export const hashLength = 32;

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** Returns the hash of an entry as a leaf: SHA-256(0x00 || entry). */
export function leafHash(sha256: Sha256, entry: Uint8Array): Uint8Array {
  return sha256(leafPrefix, entry);
}

/** Returns the hash of a node with two children: SHA-256(0x01 || left || right). */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(nodePrefix, left, right);
}

/** Returns the root of the tree without leaves: the hash of nothing. */
export function emptyRoot(sha256: Sha256): Uint8Array {
  return sha256();
}

/** Whether two arrays have the same bytes. Its time depends on them, which are public here. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

/** Whether a number can be the size of a tree or the index of a leaf: an integer from 0 to 2^53 - 1. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
