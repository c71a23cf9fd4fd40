// A tree written as in the definition of RFC 6962, section 2.1: recursive, over a list of all leaves.
import { emptyRoot, leafHash, nodeHash } from '../src/index.ts';
import { sha256 } from './sha256.ts';

/** The number of leaves on the left of a tree. */
function splitOf(count: number): number {
  return 2 ** Math.ceil(Math.log2(count) - 1);
}

/** MTH(D[n]). */
export function plainRoot(entries: readonly Uint8Array[]): Uint8Array {
  const [first, ...more] = entries;
  if (first === undefined) return emptyRoot(sha256);
  if (more.length === 0) return leafHash(sha256, first);
  const split = splitOf(entries.length);
  return nodeHash(sha256, plainRoot(entries.slice(0, split)), plainRoot(entries.slice(split)));
}

/** PATH(m, D[n]). */
export function plainPath(index: number, entries: readonly Uint8Array[]): readonly Uint8Array[] {
  if (entries.length <= 1) return [];
  const split = splitOf(entries.length);
  const [left, right] = [entries.slice(0, split), entries.slice(split)];
  return index < split
    ? [...plainPath(index, left), plainRoot(right)]
    : [...plainPath(index - split, right), plainRoot(left)];
}

/** SUBPROOF(m, D[n], b). */
function subproof(
  size: number,
  entries: readonly Uint8Array[],
  whole: boolean,
): readonly Uint8Array[] {
  if (size === entries.length) return whole ? [] : [plainRoot(entries)];
  const split = splitOf(entries.length);
  const [left, right] = [entries.slice(0, split), entries.slice(split)];
  return size <= split
    ? [...subproof(size, left, whole), plainRoot(right)]
    : [...subproof(size - split, right, false), plainRoot(left)];
}

/** PROOF(m, D[n]), for m from 1 on. */
export function plainProof(size: number, entries: readonly Uint8Array[]): readonly Uint8Array[] {
  return subproof(size, entries, true);
}
