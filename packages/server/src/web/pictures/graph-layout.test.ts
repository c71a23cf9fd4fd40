// Layouts: the same graph has the same places, nothing covers anything, and the largest graph is quick.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layOutGraph } from './graph-layout.ts';
import type { Layout, LayoutTask } from './graph-layout.ts';
import { openLayouts } from './layouts.ts';

/** Graphs as `readGraph` returns them: each node hangs on one that is a step closer. */
const graphs = fc
  .tuple(
    fc.array(fc.nat(), { minLength: 0, maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 60 }),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([hangs, more, depthMax]): LayoutTask => {
    const depths = [0];
    const edges = hangs.flatMap((choice) => {
      const above = depths.flatMap((depth, index) => (depth < depthMax ? [index] : []));
      const to = above[choice % above.length] ?? 0;
      depths.push((depths[to] ?? 0) + 1);
      return [{ from: depths.length - 1, to, word: { width: 40, height: 13 } }];
    });
    const others = more
      .map(([one, other]) => ({ from: one % depths.length, to: other % depths.length }))
      .filter(({ from, to }) => from !== to)
      .map((ends) => ({ ...ends, word: { width: 0, height: 0 } }));
    const nodes = depths.map((depth, index) => {
      const radius = depth === 0 ? 17 : 7 + (index % 7);
      return { depth, radius, label: { width: 30 + (index % 90), height: 15 } };
    });
    return { nodes, edges: [...edges, ...others] };
  });

/** Returns every text of a layout as a box, and every node as the square inside of it. */
function boxesOf({ nodes, edges }: LayoutTask, layout: Layout) {
  const texts = [
    ...layout.nodes.map(({ label }, index) => ({ at: label, size: nodes[index]?.label })),
    ...layout.edges.map(({ word }, index) => ({ at: word, size: edges[index]?.word })),
  ].flatMap(({ at, size }) => (at === null || size === undefined ? [] : [{ ...at, ...size }]));
  const squares = layout.nodes.map(({ x, y }, index) => {
    const side = 2 * (nodes[index]?.radius ?? 0) - 1;
    return { x, y, width: side, height: side };
  });
  return { texts, all: [...texts, ...squares] };
}

test('texts cover no node and no other text, and everything is inside of the frame', () => {
  fc.assert(
    fc.property(graphs, (task) => {
      const layout = layOutGraph(task);
      const { texts, all } = boxesOf(task, layout);
      for (const text of texts) {
        for (const other of all) {
          if (text === other) continue;
          const isApart =
            Math.abs(text.x - other.x) >= (text.width + other.width) / 2 - 1 ||
            Math.abs(text.y - other.y) >= (text.height + other.height) / 2 - 1;
          assert.ok(isApart, JSON.stringify([text, other]));
        }
      }
      const { x, y, width, height } = layout.box;
      for (const one of all) {
        assert.ok(one.x - one.width / 2 >= x && one.x + one.width / 2 <= x + width);
        assert.ok(one.y - one.height / 2 >= y && one.y + one.height / 2 <= y + height);
      }
    }),
    { numRuns: 30 },
  );
});

test('the same graph has the same places, whatever was laid out before', () => {
  fc.assert(
    fc.property(graphs, graphs, (task, other) => {
      const first = layOutGraph(task);
      layOutGraph(other);
      assert.deepEqual(layOutGraph(structuredClone(task)), first);
    }),
    { numRuns: 10 },
  );
});

test('the article is in the middle, and each step is further away than the one before on average', () => {
  const nodes = [0, ...Array<number>(6).fill(1), ...Array<number>(12).fill(2)].map((depth) => ({
    depth,
    radius: 9,
    label: { width: 80, height: 15 },
  }));
  const edges = nodes.flatMap(({ depth }, from) => {
    if (depth === 0) return [];
    return [{ from, to: depth === 1 ? 0 : 1 + (from % 6), word: { width: 0, height: 0 } }];
  });
  const placed = layOutGraph({ nodes, edges }).nodes;
  assert.deepEqual([placed[0]?.x, placed[0]?.y], [0, 0]);
  const meanOf = (depth: number) => {
    const far = placed.filter((_, index) => nodes[index]?.depth === depth);
    return far.reduce((sum, { x, y }) => sum + Math.hypot(x, y), 0) / far.length;
  };
  assert.ok(meanOf(1) > 60 && meanOf(2) > meanOf(1) + 60, `${meanOf(1)} ${meanOf(2)}`);
});

test('edges in both directions between two nodes, or of two kinds, do not cover each other', () => {
  const node = { radius: 9, label: { width: 0, height: 0 } };
  const nodes = [
    { depth: 0, ...node },
    { depth: 1, ...node },
  ];
  const word = { width: 30, height: 13 };
  const pairs = [
    { from: 0, to: 1, word },
    { from: 1, to: 0, word },
    { from: 0, to: 1, word },
  ];
  const bends = layOutGraph({ nodes, edges: pairs }).edges.map(({ bend }) => bend);
  const [one, two, three] = bends;
  assert.ok(one !== undefined && two !== undefined && three !== undefined);
  for (const [here, there] of [
    [one, two],
    [two, three],
    [one, three],
  ] as const)
    assert.ok(Math.hypot(here.x - there.x, here.y - there.y) > 20, JSON.stringify(bends));
});

test('a layout is made once for requests at the same time, and a refused one is tried again', async () => {
  const errors: Error[] = [];
  await using layouts = openLayouts((error) => errors.push(error));
  const node = { depth: 0, radius: 17, label: { width: 20, height: 15 } };
  const task: LayoutTask = { nodes: [node], edges: [] };
  const [one, other] = await Promise.all([
    layouts.layOut(task, undefined),
    layouts.layOut(structuredClone(task), undefined),
  ]);
  assert.ok(one !== null && one === other);
  // The worker throws: an edge names no node.
  const broken = { nodes: [node], edges: [{ from: 0, to: 5, word: { width: 0, height: 0 } }] };
  assert.equal(await layouts.layOut(broken, undefined), null);
  assert.equal(await layouts.layOut(broken, undefined), null);
  assert.equal(errors.length, 2);
});
