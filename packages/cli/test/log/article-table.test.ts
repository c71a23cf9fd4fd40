// The table of articles, and the hashes of leaves and tiles, against the plain form of each.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fullTileHash as plainTileHash, leafHash } from '@colophon/tlog';
import fc from 'fast-check';
import { createArticleTable } from '../../src/transparency/article-table.ts';
import type { ArticleState, LoggedArticle } from '../../src/transparency/article-table.ts';
import { fullTileHash, leafHashes, sha256 } from '../../src/transparency/sha256.ts';
import { idOf } from './scene.ts';

type Act = readonly ['publish', number] | readonly ['change', number, ArticleState];

const article = fc.integer({ min: 0, max: 60 });
const state = fc.constantFrom<ArticleState>('shown', 'withdrawn', 'removed', 'erased');
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('publish' as const), article),
    fc.tuple(fc.constant('change' as const), article, state),
  ),
  { maxLength: 300 },
);

test('the table says what a map of objects says', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const table = createArticleTable();
      const plain = new Map<string, LoggedArticle>();
      for (const [leaf, act] of all.entries()) {
        const id = idOf(act[1]);
        const known = plain.get(id) ?? { state: 'shown', stateLeaf: leaf, publications: [] };
        if (act[0] === 'publish') {
          table.publish(id, leaf);
          plain.set(id, { ...known, publications: [...known.publications, leaf] });
        } else {
          table.change(id, act[2], leaf);
          plain.set(id, { ...known, state: act[2], stateLeaf: leaf });
        }
      }
      assert.equal(table.size(), plain.size);
      for (const [id, expected] of plain) assert.deepEqual(table.get(id), expected);
      for (const one of ['shown', 'withdrawn', 'removed', 'erased'] as const) {
        const ids = [...plain].filter(([, known]) => known.state === one).map(([id]) => id);
        assert.deepEqual([...table.idsOf(one)], ids);
      }
    }),
  );
});

test('the table grows, and knows no id that it was not given', () => {
  const table = createArticleTable();
  const count = 20_000;
  for (let leaf = 0; leaf < count; leaf += 1) table.publish(idOf(leaf), leaf);
  assert.equal(table.size(), count);
  for (let leaf = 0; leaf < count; leaf += 997)
    assert.deepEqual(table.get(idOf(leaf))?.publications, [leaf]);
  for (const id of [idOf(count), '', 'x', `${idOf(1)}0`, 'ü'.repeat(26)])
    assert.equal(table.get(id), undefined);
  assert.throws(() => table.publish('x', 1), RangeError);
});

test('hashes of leaves and tiles are those of RFC 6962', () => {
  const entries = [0, 1, 54, 55, 64, 4_094, 4_095, 4_096, 65_535].map((length) =>
    randomBytes(length),
  );
  const expected = Buffer.concat(entries.map((entry) => leafHash(sha256, entry)));
  assert.deepEqual(leafHashes(entries), expected);
  const tile = randomBytes(8_192);
  assert.deepEqual(Buffer.from(fullTileHash(tile)), Buffer.from(plainTileHash(sha256, tile)));
  assert.throws(() => fullTileHash(tile.subarray(32)), RangeError);
});
