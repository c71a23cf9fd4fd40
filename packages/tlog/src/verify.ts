// Verification of proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Anything wrong is simply not proven.
import { emptyRoot, equalBytes, hashLength, isCount, nodeHash } from './hashing.ts';
import type { Sha256 } from './hashing.ts';

export interface Inclusion {
  readonly index: number;
  readonly size: number;
  /** The hash of the leaf. */
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

export interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly newSize: number;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

const isOdd = (value: number) => value % 2 === 1;
const half = (value: number) => Math.floor(value / 2);
const areHashes = (hashes: readonly Uint8Array[]) =>
  hashes.every((hash) => hash.length === hashLength);

/** Where a walk from a leaf to the root stands: the number of its node, and of the last node, at its level. */
interface Walk {
  readonly node: number;
  readonly last: number;
}

/**
 * Takes the next step of a walk. Returns whether the hash of the proof stands on the left, and the walk above
 * it; undefined if the walk has reached the root.
 */
function climb({ node, last }: Walk): { readonly left: boolean; readonly next: Walk } | undefined {
  if (last === 0) return undefined;
  if (!isOdd(node) && node !== last)
    return { left: false, next: { node: half(node), last: half(last) } };
  let at = { node, last };
  // On the right edge, a node without a sibling is the same one level higher.
  while (!isOdd(at.node) && at.node !== 0) at = { node: half(at.node), last: half(at.last) };
  return { left: true, next: { node: half(at.node), last: half(at.last) } };
}

/** Whether a proof shows that a leaf is in the tree with this root, at this index. */
export function verifyInclusion(sha256: Sha256, inclusion: Inclusion): boolean {
  const { index, size, leaf, proof, root } = inclusion;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (!areHashes([leaf, root, ...proof])) return false;
  let walk: Walk = { node: index, last: size - 1 };
  let hash = leaf;
  for (const sibling of proof) {
    const step = climb(walk);
    if (step === undefined) return false;
    hash = step.left ? nodeHash(sha256, sibling, hash) : nodeHash(sha256, hash, sibling);
    walk = step.next;
  }
  return walk.last === 0 && equalBytes(hash, root);
}

/** The two roots that a proof of consistency leads to; undefined if it has the wrong length. */
function rootsOf(
  sha256: Sha256,
  start: Walk,
  [seed, ...rest]: readonly Uint8Array[],
): { readonly older: Uint8Array; readonly newer: Uint8Array } | undefined {
  if (seed === undefined) return undefined;
  let walk = start;
  let [older, newer] = [seed, seed];
  for (const sibling of rest) {
    const step = climb(walk);
    if (step === undefined) return undefined;
    if (step.left) older = nodeHash(sha256, sibling, older);
    newer = step.left ? nodeHash(sha256, sibling, newer) : nodeHash(sha256, newer, sibling);
    walk = step.next;
  }
  return walk.last === 0 ? { older, newer } : undefined;
}

/** A proof between two trees of different sizes that are not empty. */
function provesGrowth(sha256: Sha256, consistency: Consistency): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = consistency;
  let start: Walk = { node: oldSize - 1, last: newSize - 1 };
  while (isOdd(start.node)) start = { node: half(start.node), last: half(start.last) };
  // An older tree that is one complete subtree ends at node 0 here. Its root is not in the proof.
  const roots = rootsOf(sha256, start, start.node === 0 ? [oldRoot, ...proof] : proof);
  return (
    roots !== undefined && equalBytes(roots.older, oldRoot) && equalBytes(roots.newer, newRoot)
  );
}

/**
 * Whether a proof shows that the tree with the newer root begins with the leaves of the tree with the older
 * one. Every tree begins with the empty tree, whose proof is empty.
 */
export function verifyConsistency(sha256: Sha256, consistency: Consistency): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = consistency;
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false;
  if (oldSize === 0 && !equalBytes(oldRoot, emptyRoot(sha256))) return false;
  if (oldSize === newSize) return proof.length === 0 && equalBytes(oldRoot, newRoot);
  if (!areHashes([oldRoot, newRoot, ...proof])) return false;
  return oldSize === 0 ? proof.length === 0 : provesGrowth(sha256, consistency);
}
