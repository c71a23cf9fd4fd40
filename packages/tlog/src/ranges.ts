// The ranges of leaves whose hashes make up a root or a proof (RFC 6962, sections 2.1.1 and 2.1.2).
import { isCount } from './hashing.ts';

/** The leaves from `start` up to but not including `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** A complete subtree: the leaves from `index` · 2^`level` up to but not including (`index` + 1) · 2^`level`. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Returns the largest power of two that is smaller than a number from 2 on. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/**
 * Returns the complete subtrees that a range consists of, from the left, the largest first. A range of a proof
 * begins at a multiple of the largest power of two that it contains.
 */
export function subtreesOf({ start, end }: LeafRange): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  for (let from = start; from < end;) {
    let [level, width] = [0, 1];
    while (width * 2 <= end - from) [level, width] = [level + 1, width * 2];
    subtrees.push({ level, index: from / width });
    from += width;
  }
  return subtrees;
}

/**
 * Returns the ranges whose hashes prove that a leaf is in a tree, from the leaf to the root.
 *
 * @throws RangeError unless `index` is below `size`
 */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  if (!isCount(index) || !isCount(size) || index >= size)
    throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`);
  const ranges: LeafRange[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + splitOf(end - start);
    if (index < middle) [ranges[ranges.length], end] = [{ start: middle, end }, middle];
    else [ranges[ranges.length], start] = [{ start, end: middle }, middle];
  }
  return ranges.toReversed();
}

/**
 * Returns the ranges whose hashes prove that a tree begins with the leaves of an older one. It is empty if the
 * sizes are equal or the older tree has no leaves.
 *
 * @throws RangeError if `oldSize` is larger than `newSize`
 */
export function consistencyRanges(oldSize: number, newSize: number): readonly LeafRange[] {
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize)
    throw new RangeError(`A tree of ${newSize} leaves has no earlier tree of ${oldSize}.`);
  const ranges: LeafRange[] = [];
  if (oldSize === 0) return ranges;
  let [start, end] = [0, newSize];
  while (end !== oldSize) {
    const middle = start + splitOf(end - start);
    if (oldSize <= middle) [ranges[ranges.length], end] = [{ start: middle, end }, middle];
    else [ranges[ranges.length], start] = [{ start, end: middle }, middle];
  }
  // The verifier knows the root of the older tree itself.
  if (start !== 0) ranges.push({ start, end });
  return ranges.toReversed();
}
