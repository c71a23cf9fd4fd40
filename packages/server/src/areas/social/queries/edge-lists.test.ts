// Pages of the edges of an author, for an archive.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keyOf } from '#lib/id';
import { link } from '#test/edges';
import { startServer } from '#test/harness';
import { listEdgesBy } from './edge-lists.ts';
import type { EdgePosition } from './edge-lists.ts';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());

test('pages have each edge of an author once: the newest article first, and the newest edge of each', async () => {
  const [human, other] = [await server.register(), await server.register()];
  const target = await server.published(other);
  const [old, without, young] = [
    await server.published(human),
    await server.published(human),
    await server.published(human),
  ];
  const first = await link(server, human, [young, target]);
  const edges = [
    await link(server, human, [old, target]),
    await link(server, human, [old, target], { kind: 'supports' }),
    await link(server, human, [old, young]),
  ];
  await link(server, other, [target, old]);
  const wanted = [first, ...edges.toReversed()].map(({ id }) => id);
  assert.ok(old.id < without.id && without.id < young.id);

  const found: string[] = [];
  let before: EdgePosition | undefined;
  for (;;) {
    const rows = await listEdgesBy(server.db, keyOf(human.id), before, 2);
    found.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (rows.length < 2 || last === undefined) break;
    before = { article: last.src_article_id, edge: last.id };
  }
  assert.deepEqual(found, wanted);
});
