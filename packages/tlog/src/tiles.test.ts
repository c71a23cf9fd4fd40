// Tiles: their paths, which a log has and gets, and packed entries (C2SP tlog-tiles).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  entriesPath,
  newTiles,
  packEntries,
  parseTilePath,
  tilePath,
  tilesOf,
  unpackEntries,
} from './index.ts';
import type { Tile } from './index.ts';

const keyOf = ({ level, index, width }: Tile) => tilePath(level, index, width);

test('paths of the specification', () => {
  assert.equal(tilePath(0, 1234067, 256), 'tile/0/x001/x234/067');
  assert.equal(tilePath(0, 273, 112), 'tile/0/273.p/112');
  assert.equal(entriesPath(0, 256), 'tile/entries/000');
  assert.equal(entriesPath(1000, 1), 'tile/entries/x001/000.p/1');
  assert.equal(tilePath(63, 5, 1), 'tile/63/005.p/1');
});

test('a path that is written is read again, and nothing is written beyond the limits', () => {
  fc.assert(
    fc.property(
      fc.nat(63),
      fc.oneof(fc.nat(2000), fc.maxSafeNat()),
      fc.integer({ min: 1, max: 256 }),
      (level, index, width) => {
        assert.deepEqual(parseTilePath(tilePath(level, index, width)), {
          kind: 'hashes',
          level,
          index,
          width,
        });
        assert.deepEqual(parseTilePath(entriesPath(index, width)), {
          kind: 'entries',
          index,
          width,
        });
      },
    ),
  );
  for (const [level, index, width] of [
    [-1, 0, 1],
    [64, 0, 1],
    [0.5, 0, 1],
    [0, -1, 1],
    [0, 2 ** 53, 1],
    [0, 0, 0],
    [0, 0, 257],
  ] as const)
    assert.throws(() => tilePath(level, index, width), RangeError);
});

for (const path of [
  '',
  'tile/0',
  'tile/0/0',
  'tile/0/00',
  'tile/0/0000',
  'tile/00/000',
  'tile/64/000',
  'tile/-1/000',
  'tile/0/x000/001',
  'tile/0/001/000',
  'tile/0/x001/x000',
  'tile/0/000.p/0',
  'tile/0/000.p/256',
  'tile/0/000.p/007',
  'tile/0/000.p/',
  'tile/0/000/',
  '/tile/0/000',
  'tile/0/000\n',
  'tile/../000',
  'tile/entry/000',
  `tile/0/${'x999/'.repeat(8)}999`,
])
  test(`no tile has the path ${JSON.stringify(path)}`, () => {
    assert.equal(parseTilePath(path), undefined);
  });

test('the tree of 70,000 leaves of the specification', () => {
  const tiles = [...tilesOf(70_000)];
  const full = (level: number) =>
    tiles.filter((tile) => tile.level === level && tile.width === 256).length;
  const partial = tiles.filter(({ width }) => width < 256);
  assert.deepEqual([full(0), full(1), full(2)], [273, 1, 0]);
  assert.deepEqual(partial.map(keyOf), ['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1']);
});

test('the tree of 256 leaves has a full tile and a partial one of width 1', () => {
  assert.deepEqual([...tilesOf(256)].map(keyOf), ['tile/0/000', 'tile/1/000.p/1']);
  assert.deepEqual([...tilesOf(0)], []);
});

test('new tiles are those that the larger tree has and the smaller has not', () => {
  const size = fc.oneof(
    fc.nat(1200),
    fc.nat(70_000),
    fc.constantFrom(0, 1, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 65_792),
  );
  fc.assert(
    fc.property(size, size, (one, other) => {
      const [oldSize, newSize] = [Math.min(one, other), Math.max(one, other)];
      const before = new Set([...tilesOf(oldSize)].map(keyOf));
      const now = [...tilesOf(newSize)].map(keyOf);
      assert.deepEqual(
        [...newTiles(oldSize, newSize)].map(keyOf),
        now.filter((key) => !before.has(key)),
      );
    }),
  );
  assert.throws(() => [...newTiles(2, 1)], RangeError);
});

test('the tiles of a log of 2^53 - 1 leaves can be named', () => {
  const size = Number.MAX_SAFE_INTEGER;
  const tiles = [...newTiles(size - 1, size)];
  assert.deepEqual(tiles.map(keyOf), ['tile/0/x035/x184/x372/x088/831.p/255']);
});

test('entries are packed as the specification says, and unpacked', () => {
  const packed = packEntries([Buffer.from('a'), Buffer.from(''), Buffer.alloc(258, 'b')]);
  assert.deepEqual(
    Buffer.from(packed).subarray(0, 8).toString('hex'),
    '0001610000' + '0102' + '62',
  );
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), fc.nat(), (entries, cut) => {
      const bundle = packEntries(entries);
      assert.deepEqual(unpackEntries(bundle), entries);
      const shorter = unpackEntries(bundle.subarray(0, cut % (bundle.length + 1)));
      // A cut is noticed, or it is between two entries.
      if (shorter !== undefined) assert.deepEqual(shorter, entries.slice(0, shorter.length));
    }),
  );
  assert.equal(packEntries([new Uint8Array(65_535)]).length, 65_537);
  assert.throws(() => packEntries([new Uint8Array(65_536)]), RangeError);
});
