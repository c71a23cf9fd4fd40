// Roots and proofs of a tree, computed from stored hashes (RFC 6962), and hashes read from tiles.
import { emptyRoot, hashLength, leafHash, nodeHash } from './hashing.ts';
import type { Sha256 } from './hashing.ts';
import { consistencyRanges, inclusionRanges, subtreesOf } from './ranges.ts';
import type { LeafRange } from './ranges.ts';
import { tileHeight, tileWidth, tileWidthAt } from './tiles.ts';
import type { Tile } from './tiles.ts';

/**
 * Returns the hash of a complete subtree: of the leaves from `index` · 2^`level` up to but not including
 * (`index` + 1) · 2^`level`. Level 0 are the leaves.
 */
export type HashReader = (level: number, index: number) => Uint8Array;

function hashOf(sha256: Sha256, range: LeafRange, readHash: HashReader): Uint8Array {
  const hashes = subtreesOf(range).map(({ level, index }) => readHash(level, index));
  return hashes.reduceRight((right, left) => nodeHash(sha256, left, right));
}

/** Returns the root of a tree. */
export function rootOf(sha256: Sha256, size: number, readHash: HashReader): Uint8Array {
  return size === 0 ? emptyRoot(sha256) : hashOf(sha256, { start: 0, end: size }, readHash);
}

/**
 * Returns the proof that a leaf is in a tree: at most 53 hashes, from the leaf to the root.
 *
 * @throws RangeError unless `index` is below `size`
 */
export function inclusionProof(
  sha256: Sha256,
  index: number,
  size: number,
  readHash: HashReader,
): readonly Uint8Array[] {
  return inclusionRanges(index, size).map((range) => hashOf(sha256, range, readHash));
}

/**
 * Returns the proof that a tree begins with the leaves of an older one.
 *
 * @throws RangeError if `oldSize` is larger than `newSize`
 */
export function consistencyProof(
  sha256: Sha256,
  oldSize: number,
  newSize: number,
  readHash: HashReader,
): readonly Uint8Array[] {
  return consistencyRanges(oldSize, newSize).map((range) => hashOf(sha256, range, readHash));
}

/** Returns the tile that contains the hash of a subtree, or the hashes that it is made from. */
function tileOf(level: number, index: number, size: number): Tile {
  const tileLevel = Math.floor(level / tileHeight);
  const first = index * 2 ** (level % tileHeight);
  const at = Math.floor(first / tileWidth);
  return { level: tileLevel, index: at, width: tileWidthAt(tileLevel, at, size) };
}

function tilesFor(ranges: readonly LeafRange[], size: number): readonly Tile[] {
  const tiles = new Map<string, Tile>();
  for (const { level, index } of ranges.flatMap(subtreesOf)) {
    const tile = tileOf(level, index, size);
    tiles.set(`${tile.level}/${tile.index}`, tile);
  }
  return [...tiles.values()];
}

/** Returns the tiles to read for the root of a tree. */
export function hashesNeededForRoot(size: number): readonly Tile[] {
  return tilesFor([{ start: 0, end: size }], size);
}

/** Returns the tiles to read for a proof of inclusion. */
export function hashesNeededForInclusion(index: number, size: number): readonly Tile[] {
  return tilesFor(inclusionRanges(index, size), size);
}

/** Returns the tiles of the newer tree to read for a proof of consistency. */
export function hashesNeededForConsistency(oldSize: number, newSize: number): readonly Tile[] {
  return tilesFor(consistencyRanges(oldSize, newSize), newSize);
}

/** Returns the hash above 2^n hashes that stand one after the other in some bytes. */
function hashAbove(sha256: Sha256, bytes: Uint8Array): Uint8Array {
  if (bytes.length <= hashLength) return bytes;
  const middle = bytes.length / 2;
  const left = hashAbove(sha256, bytes.subarray(0, middle));
  return nodeHash(sha256, left, hashAbove(sha256, bytes.subarray(middle)));
}

/** Returns the hash that a full tile has at the level of tiles above it. */
export function fullTileHash(sha256: Sha256, tile: Uint8Array): Uint8Array {
  if (tile.length !== tileWidth * hashLength)
    throw new RangeError(`A full tile has 8192 bytes, not ${tile.length}.`);
  return hashAbove(sha256, tile);
}

/**
 * Reads hashes from the tiles of a tree of a size. `readTile` returns the bytes of a tile.
 *
 * @throws RangeError for a tile that is too short, and for a hash that the tree does not have
 */
export function readFromTiles(
  sha256: Sha256,
  size: number,
  readTile: (tile: Tile) => Uint8Array,
): HashReader {
  return (level, index) => {
    const tile = tileOf(level, index, size);
    const span = 2 ** (level % tileHeight);
    const start = index * span - tile.index * tileWidth;
    const hashes = readTile(tile).subarray(start * hashLength, (start + span) * hashLength);
    if (hashes.length !== span * hashLength)
      throw new RangeError(`Tile ${tile.index} of level ${tile.level} is too short.`);
    return hashAbove(sha256, hashes);
  };
}

/** Returns the bytes of a tile, from the hashes of its tree. */
export function tileBytes({ level, index, width }: Tile, readHash: HashReader): Uint8Array {
  const bytes = new Uint8Array(width * hashLength);
  for (let at = 0; at < width; at += 1)
    bytes.set(readHash(level * tileHeight, index * tileWidth + at), at * hashLength);
  return bytes;
}

/**
 * Reads hashes of a tree that grows: those of its first `size` leaves with `readHash`, the others from the
 * new entries. Each hash is computed once.
 */
export function readGrown(
  sha256: Sha256,
  { size, readHash }: { readonly size: number; readonly readHash: HashReader },
  entries: readonly Uint8Array[],
): HashReader {
  const known = new Map<string, Uint8Array>();
  const compute: HashReader = (level, index) => {
    if (level === 0) {
      const entry = entries[index - size];
      if (entry === undefined) throw new RangeError(`The tree has no leaf ${index}.`);
      return leafHash(sha256, entry);
    }
    return nodeHash(sha256, read(level - 1, index * 2), read(level - 1, index * 2 + 1));
  };
  const read: HashReader = (level, index) => {
    if ((index + 1) * 2 ** level <= size) return readHash(level, index);
    const key = `${level}/${index}`;
    const hash = known.get(key) ?? compute(level, index);
    known.set(key, hash);
    return hash;
  };
  return read;
}
