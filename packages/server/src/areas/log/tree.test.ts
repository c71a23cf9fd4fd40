// The stored tree at the borders of its tiles: after any appends it is the tree that RFC 6962 defines.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '#database';
import { newId } from '#lib/id';
import { sha256 } from '#lib/sha256';
import { cloneDatabase } from '#test/database';
import { effort } from '#test/effort';
import { createFrontier, emptyRoot, leafHash } from '@colophon/tlog';
import { findHead, insertHead, insertLeaves } from './queries/index.ts';
import { rootAt } from './service/history.ts';
import { sequence } from './service/sequence.ts';

const most = effort(1_100, 70_000);

const parts = new AsyncDisposableStack();
after(() => parts.disposeAsync());
const { connection } = parts.use(await cloneDatabase());
const db = parts.use(
  openDatabase({ connection, readers: 1, writers: 1, patience: 12, onError: () => undefined }),
);

test(`appends of random lengths up to ${most} leaves, with the root at every border`, async (t) => {
  const empty = Buffer.from(emptyRoot(sha256)).toString('hex');
  await db.transaction((tx) => insertHead(tx, 'log.example/log', empty));
  const frontier = createFrontier(sha256);
  const roots = new Map([[0, empty]]);
  const borders = [255, 256, 257, 511, 512, 513, 1_023, 1_024, 1_025, 65_535, 65_536, 65_537, most];
  let size = 0;
  const sizes: number[] = [];
  for (const border of borders.filter((one) => one <= most)) {
    while (size < border) {
      const count = Math.min(
        border - size,
        1 + Math.floor(Math.random() ** 3 * effort(300, 3_000)),
      );
      const entries = Array.from({ length: count }, (_, at) => `entry ${size + at}`);
      const leaves = entries.map((entry) => ({
        cause: entry,
        ticket: newId(0),
        entry,
        articleId: null,
        salt: null,
      }));
      await db.transaction((tx) => insertLeaves(tx, leaves));
      while ((await sequence(db, async () => undefined, new Date())) > 0);
      for (const entry of entries) frontier.add(leafHash(sha256, Buffer.from(entry)));
      size += count;
      sizes.push(count);
      const root = Buffer.from(frontier.root()).toString('hex');
      roots.set(size, root);
      const head = await findHead(db);
      assert.deepEqual([head?.size, head?.root], [size, root]);
    }
  }
  for (const [earlier, root] of roots)
    assert.equal(await rootAt(db, earlier), root, `at ${earlier}`);
  t.diagnostic(`appended ${sizes.join(', ')}`);
});
