// Roots, proofs and tiles of growing trees against the definitions of RFC 6962, at every border of a tile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkGrowth } from '../test/growth.ts';
import { plainPath, plainProof, plainRoot } from '../test/plain-tree.ts';
import { sha256 } from '../test/sha256.ts';
import { append, emptyLog, readerOf, rootByFrontier, rootOfLog } from '../test/tiled-log.ts';
import {
  consistencyProof,
  createFrontier,
  fullTileHash,
  inclusionProof,
  leafHash,
  readFromTiles,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

const entryOf = (index: number) => Buffer.from(`entry ${index}`);
const entriesOf = (count: number) => Array.from({ length: count }, (_, index) => entryOf(index));

const largest = 40;
const log = emptyLog();
for (const entry of entriesOf(largest)) append(log, [entry]);

test('every root, path and proof of trees of 0 to 40 leaves is that of the definition', () => {
  for (let size = 0; size <= largest; size += 1) {
    const entries = entriesOf(size);
    assert.deepEqual(rootOfLog(log, size), plainRoot(entries));
    assert.deepEqual(
      rootByFrontier(entries.map((entry) => leafHash(sha256, entry))),
      plainRoot(entries),
    );
    for (let index = 0; index < size; index += 1) {
      const own = inclusionProof(sha256, index, size, readerOf(log, size));
      assert.deepEqual(own, plainPath(index, entries));
      const proven = { index, size, leaf: leafHash(sha256, entryOf(index)), proof: own };
      assert.ok(verifyInclusion(sha256, { ...proven, root: rootOfLog(log, size) }));
    }
    for (let oldSize = 0; oldSize <= size; oldSize += 1) {
      const own = consistencyProof(sha256, oldSize, size, readerOf(log, size));
      assert.deepEqual(own, oldSize === 0 ? [] : plainProof(oldSize, entries));
      const roots = { oldRoot: rootOfLog(log, oldSize), newRoot: rootOfLog(log, size) };
      assert.ok(verifyConsistency(sha256, { oldSize, newSize: size, ...roots, proof: own }));
    }
  }
});

test('a proof verifies only for its own leaf, index, size and root, and only whole', () => {
  const size = fc.integer({ min: 1, max: largest });
  fc.assert(
    fc.property(size, fc.nat(), fc.nat(), fc.nat(), (newSize, at, kind, more) => {
      const index = at % newSize;
      const proof = inclusionProof(sha256, index, newSize, readerOf(log, newSize));
      const right = {
        index,
        size: newSize,
        leaf: leafHash(sha256, entryOf(index)),
        proof,
        root: rootOfLog(log, newSize),
      };
      const flipped = (bytes: Uint8Array) =>
        bytes.map((byte, place) => (place === more % 32 ? byte ^ (1 << (more % 8)) : byte));
      const wrongs = [
        { ...right, index: (index + 1 + (more % newSize)) % (newSize + 1) },
        { ...right, leaf: flipped(right.leaf) },
        { ...right, root: flipped(right.root) },
        { ...right, proof: [...proof, right.root] },
        { ...right, proof: [right.leaf, ...proof] },
        ...(proof.length === 0
          ? []
          : [
              { ...right, proof: proof.slice(1) },
              { ...right, proof: proof.slice(0, -1) },
              {
                ...right,
                proof: proof.map((hash, place) =>
                  place === more % proof.length ? flipped(hash) : hash,
                ),
              },
            ]),
      ];
      const wrong = wrongs[kind % wrongs.length];
      assert.ok(wrong);
      fc.pre(wrong.index !== index || kind % wrongs.length > 0);
      assert.ok(verifyInclusion(sha256, right));
      assert.equal(verifyInclusion(sha256, wrong), false);
    }),
    { numRuns: 500 },
  );
});

test('a tree is consistent with no other history of the same size', () => {
  const other = emptyLog();
  append(
    other,
    entriesOf(20).map((entry, index) => (index === 7 ? Buffer.from('forged') : entry)),
  );
  append(other, entriesOf(largest).slice(20));
  const oldRoot = rootOfLog(log, 20);
  const proof = consistencyProof(sha256, 20, largest, readerOf(other, largest));
  const forked = { oldSize: 20, newSize: largest, oldRoot, newRoot: rootOfLog(other), proof };
  assert.equal(verifyConsistency(sha256, forked), false);
  assert.equal(
    verifyConsistency(sha256, { ...forked, newSize: 20, newRoot: rootOfLog(other, 20), proof: [] }),
    false,
  );
  assert.equal(verifyConsistency(sha256, { ...forked, oldSize: largest, newSize: 20 }), false);
});

test('around the borders of tiles, proofs from tiles verify and the tiles listed suffice', () => {
  checkGrowth([1, 254, 255, 256, 257, 511, 512, 513, 1023, 1025]);
});

test('any way of growing leads to the same tree', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
      (steps) => {
        const grown = emptyLog();
        for (const step of steps)
          append(grown, entriesOf(grown.entries.length + step).slice(-step));
        const whole = emptyLog();
        append(whole, entriesOf(grown.entries.length));
        assert.deepEqual(rootOfLog(grown), rootOfLog(whole));
        for (const [path, bytes] of whole.files)
          assert.deepEqual(grown.files.get(path), bytes, path);
      },
    ),
    { numRuns: 20 },
  );
});

test('a tile that is too short is not read as a shorter tree', () => {
  const read = readFromTiles(sha256, 3, () => new Uint8Array(64));
  assert.throws(() => inclusionProof(sha256, 0, 3, read), RangeError);
  assert.throws(() => fullTileHash(sha256, new Uint8Array(8160)), RangeError);
  assert.throws(() => inclusionProof(sha256, 3, 3, read), RangeError);
  assert.throws(() => consistencyProof(sha256, 4, 3, read), RangeError);
});

test('full tiles added at once make the root of their leaves', () => {
  const whole = emptyLog();
  append(whole, entriesOf(600));
  const frontier = createFrontier(sha256);
  for (const path of ['tile/0/000', 'tile/0/001'])
    frontier.add(fullTileHash(sha256, whole.files.get(path) ?? new Uint8Array()), 8);
  for (const entry of entriesOf(600).slice(512)) frontier.add(leafHash(sha256, entry));
  assert.deepEqual(frontier.root(), rootOfLog(whole));
  assert.equal(frontier.size(), 600);
  assert.throws(() => frontier.add(new Uint8Array(32), 8), RangeError);
});
