// The picture and the list of a graph: in one order, with short lines, and with every text escaped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { edgeKinds } from '@colophon/contract';
import { textOf } from '../html.ts';
import type { Site } from '../site.ts';
import { layOutGraph } from './graph-layout.ts';
import { graphList } from './graph-list.ts';
import { graphPicture, layoutTaskOf } from './graph-picture.ts';
import { graphViewOf, nameOfNode } from './graph-view.ts';
import type { Graph } from './graph-view.ts';
import { classesOf } from './kind-styles.ts';
import { columnsOf, linesOf } from './short-lines.ts';

const site = { baseUrl: 'https://base.example', at: (path: string) => path } as Site;

const trust = 'untrusted' as const;

function nodeOf(id: string, depth: number, title: string | null): Graph['nodes'][number] {
  const author =
    title === null
      ? null
      : {
          id: `P${id}`,
          kind: 'agent' as const,
          username: `by-${id}`,
          display_name: null,
          trust,
        };
  const url = title === null ? null : `https://base.example/@by-${id}/${id}`;
  const status = title === null ? ('removed' as const) : ('published' as const);
  const article = { id, title, status, url, author, trust };
  return { id, type: 'article', depth, article, trust };
}

function edgeOf(id: string, [from, to]: readonly [string, string], kind: string, note = '') {
  return { id, from, to, kind, note } as unknown as Graph['edges'][number];
}

const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(2)>';
const graph: Graph = {
  nodes: [
    nodeOf('A', 0, 'In the middle'),
    nodeOf('B', 1, hostile),
    nodeOf('C', 1, 'כותרת בעברית'),
    nodeOf('D', 2, null),
    { id: 'https://example.org/?a=1&b="x"', type: 'uri', depth: 1, article: null, trust },
    { id: 'javascript:alert(1)', type: 'uri', depth: 1, article: null, trust },
  ],
  edges: [
    edgeOf('1', ['B', 'A'], 'cites', hostile),
    edgeOf('2', ['A', 'C'], 'replies_to'),
    edgeOf('3', ['C', 'B'], 'refutes'),
    edgeOf('4', ['B', 'D'], 'extends'),
    edgeOf('5', ['A', 'https://example.org/?a=1&b="x"'], 'uses_data'),
    edgeOf('6', ['A', 'javascript:alert(1)'], 'related'),
  ],
  truncated: false,
};

function drawGraph(of: Graph) {
  const view = graphViewOf(site, of);
  const picture = textOf(graphPicture(view, layOutGraph(layoutTaskOf(view))));
  return { view, picture, list: textOf(graphList(site, view)) };
}

test('the order in which nodes and edges arrive changes nothing', () => {
  const { picture, list } = drawGraph(graph);
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...graph.nodes], { minLength: graph.nodes.length }),
      fc.shuffledSubarray([...graph.edges], { minLength: graph.edges.length }),
      (nodes, edges) => {
        const again = drawGraph({ nodes, edges, truncated: false });
        assert.equal(again.picture, picture);
        assert.equal(again.list, list);
      },
    ),
    { numRuns: 5 },
  );
});

test('texts are escaped, directions are given, and only addresses of the web are links', () => {
  const { picture, list } = drawGraph(graph);
  for (const text of [picture, list]) {
    assert.doesNotMatch(text, /<script|<img|href="javascript| style=| on\w+=/i);
    assert.match(text, /href="https:\/\/example\.org/);
  }
  assert.match(picture, /<text [^>]*direction="rtl">כותרת בעברית</);
  assert.match(list, /An article that was removed/);
});

test('the list has every node and every edge once', () => {
  const { view, list } = drawGraph(graph);
  for (const { index } of view.nodes.slice(1))
    assert.equal(list.split(`id="node-${index}"`).length, 2, `node ${index}`);
  // Edges of the article in the middle are headings, the others lines below a node.
  assert.equal(list.split('<h3>').length - 1, 4);
  assert.equal(list.split('<ul class="also">').length - 1, 2);
  for (const words of ['Cited by', 'In answer to', 'Uses data of', 'Related to'])
    assert.match(list, new RegExp(`<h3>.*${words} <span`));
});

test('a node is named with title, author, distance and links', () => {
  const { view } = drawGraph(graph);
  const named = view.nodes.map((node) => nameOfNode(view, node));
  assert.match(named[0] ?? '', /^In the middle, by @by-A \(agent\), the article in the middle\. /);
  assert.match(named[0] ?? '', /; 1 more link$/);
  assert.ok(named.some((name) => /, two steps away\. Extended by “<script>/.test(name)));
});

test('every kind of edge has a line of its own', () => {
  const classes = edgeKinds.map(classesOf);
  assert.equal(new Set(classes).size, edgeKinds.length);
});

test('lines are short, in any script, and say when something is left out', () => {
  assert.deepEqual(linesOf('On moss', 20, 2), ['On moss']);
  assert.deepEqual(linesOf('', 20, 2), []);
  const long = linesOf('A rather long title that needs more than two lines in a picture', 20, 2);
  assert.deepEqual(long, ['A rather long title', 'that needs more…']);
  assert.ok(linesOf('石の上の苔について書かれた長い題名です', 20, 2).length === 2);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const lines = linesOf(text, 20, 2);
      assert.ok(lines.length <= 2);
      assert.ok(lines.every((line) => [...new Intl.Segmenter().segment(line)].length <= 20));
    }),
  );
  assert.equal(columnsOf(['ab', '石石']), 4);
});

test('200 works with 1,000 links: few bytes besides their texts', () => {
  const depthOf = (at: number) => (at === 0 ? 0 : at < 40 ? 1 : at < 120 ? 2 : 3);
  const title = (at: number) => `Work ${at}, ${'with a title of some length '.repeat(4)}`;
  const nodes = Array.from({ length: 200 }, (_, at) => nodeOf(`N${at}`, depthOf(at), title(at)));
  const kinds = edgeKinds.length;
  const edges = Array.from({ length: 1_000 }, (_, at) => {
    const from = 1 + (at % 199);
    const to = (at * 37) % from;
    return edgeOf(`E${at}`, [`N${from}`, `N${to}`], edgeKinds[at % kinds] ?? 'cites');
  });
  const { picture, list } = drawGraph({ nodes, edges, truncated: true });
  const whole = `${picture}${list}`;
  assert.ok(whole.length < 400_000, `${whole.length} characters`);
  const markup = whole
    .replaceAll(/>[^<]+</g, '><')
    .replaceAll(/ aria-label="[^"]*"/g, '')
    .replaceAll(/href="(?!#)[^"]*"/g, '');
  const { length } = brotliCompressSync(markup, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
  });
  // With the frame, the style sheets and the script of the page it stays below 50 KB.
  assert.ok(length < 30_000, `${length} bytes`);
});
