// The root of a tree whose hashes arrive one after the other, in the memory of a few of them.
import { emptyRoot, nodeHash } from './hashing.ts';
import type { Sha256 } from './hashing.ts';

/** A growing tree, of which only the complete subtrees on its right edge are remembered. */
export interface Frontier {
  /** How many leaves it has. */
  size(): number;
  /** Adds the hash of a leaf, or of the next complete subtree of 2^`level` leaves. */
  add(hash: Uint8Array, level?: number): void;
  /** The root of the tree as it is now. */
  root(): Uint8Array;
}

/** Returns a tree without leaves that grows. */
export function createFrontier(sha256: Sha256): Frontier {
  const edge: { level: number; hash: Uint8Array }[] = [];
  let size = 0;
  return {
    size: () => size,
    add: (hash, level = 0) => {
      if (size % 2 ** level !== 0)
        throw new RangeError(`A subtree of level ${level} does not begin at leaf ${size}.`);
      let top = { level, hash };
      for (let last = edge.at(-1); last?.level === top.level; last = edge.at(-1)) {
        edge.pop();
        top = { level: top.level + 1, hash: nodeHash(sha256, last.hash, top.hash) };
      }
      edge.push(top);
      size += 2 ** level;
    },
    root: () =>
      edge
        .map(({ hash }) => hash)
        .reduceRight<Uint8Array | undefined>(
          (right, left) => (right === undefined ? left : nodeHash(sha256, left, right)),
          undefined,
        ) ?? emptyRoot(sha256),
  };
}
