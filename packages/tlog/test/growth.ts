// Grows a log to given sizes and checks each state: root, tiles, proofs to a sample of leaves and earlier states.
import assert from 'node:assert/strict';
import {
  consistencyProof,
  hashesNeededForConsistency,
  hashesNeededForInclusion,
  hashesNeededForRoot,
  inclusionProof,
  leafHash,
  readFromTiles,
  rootOf,
  tilePath,
  tilesOf,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.ts';
import type { Tile } from '../src/index.ts';
import { sha256 } from './sha256.ts';
import { append, emptyLog, rootByFrontier, rootOfLog } from './tiled-log.ts';
import type { TiledLog } from './tiled-log.ts';

/** Reads hashes from the listed tiles of a log, and from no others. */
function readOnly({ files }: TiledLog, size: number, tiles: readonly Tile[]) {
  const paths = new Set(tiles.map(({ level, index, width }) => tilePath(level, index, width)));
  return readFromTiles(sha256, size, ({ level, index, width }) => {
    const path = tilePath(level, index, width);
    assert.ok(paths.has(path), `${path} is not listed`);
    return files.get(path) ?? new Uint8Array();
  });
}

function checkInclusion(log: TiledLog, index: number): void {
  const size = log.entries.length;
  const read = readOnly(log, size, hashesNeededForInclusion(index, size));
  const proof = inclusionProof(sha256, index, size, read);
  const leaf = leafHash(sha256, log.entries[index] ?? new Uint8Array());
  const proven = { index, size, leaf, proof, root: rootOfLog(log) };
  assert.ok(verifyInclusion(sha256, proven), `leaf ${index} of ${size}`);
}

function checkConsistency(log: TiledLog, oldSize: number, oldRoot: Uint8Array): void {
  const newSize = log.entries.length;
  const read = readOnly(log, newSize, hashesNeededForConsistency(oldSize, newSize));
  const proof = consistencyProof(sha256, oldSize, newSize, read);
  const proven = { oldSize, oldRoot, newSize, newRoot: rootOfLog(log), proof };
  assert.ok(verifyConsistency(sha256, proven), `${oldSize} in ${newSize}`);
}

/** Grows a log to each size in turn. Sizes ascend. */
export function checkGrowth(sizes: readonly number[]): void {
  const log = emptyLog();
  const roots = new Map([[0, rootOfLog(log)]]);
  for (const size of sizes) {
    const first = log.entries.length;
    const added = Array.from({ length: size - first }, (_, at) => Buffer.from(`${first + at}`));
    append(log, added);
    const root = rootOf(sha256, size, readOnly(log, size, hashesNeededForRoot(size)));
    assert.deepEqual(
      root,
      rootByFrontier(log.entries.map((entry) => leafHash(sha256, entry))),
      `root of ${size}`,
    );
    for (const { level, index, width } of tilesOf(size))
      assert.equal(log.files.get(tilePath(level, index, width))?.length, width * 32);
    const borders = [0, size - 1, first, Math.floor(size / 2), size - (size % 256)];
    for (const index of new Set(borders)) if (index < size) checkInclusion(log, index);
    for (const [oldSize, oldRoot] of roots) checkConsistency(log, oldSize, oldRoot);
    roots.set(size, root);
  }
}
