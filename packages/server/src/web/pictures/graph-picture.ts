// A graph as an SVG picture: articles by shape, kinds of edges by colour, line and word.
import { edgeWords } from '../components/labels.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import type { Layout, LayoutTask, PlacedEdge, PlacedNode } from './graph-layout.ts';
import { nameOfNode } from './graph-view.ts';
import type { GraphView, Shape, ShownEdge, ShownNode } from './graph-view.ts';
import { classesOf, families, kindStyles } from './kind-styles.ts';
import { columnsOf } from './short-lines.ts';

/** Units of the picture. The style sheet has the sizes of the texts. */
const lineHeight = 15;
/** Of a column in a wide font: a label that is wider than measured covers its neighbours. */
const columnWidth = 7.6;
/** The middle has larger, bold type. */
const middleColumnWidth = columnWidth * 1.15;
const wordHeight = 13;
const wordWidth = 5.8;

/** How much larger than its units the picture is where there is room. */
const largest = 1.2;

/** A node grows with its edges, so that what many works refer to is seen first. */
function radiusOf({ around }: GraphView, { index, depth, shape }: ShownNode): number {
  if (depth === 0) return 17;
  if (shape === 'address') return 7;
  return Math.min(14, 8 + Math.round(Math.sqrt(around[index]?.length ?? 0)));
}

function wordOf({ kind }: ShownEdge): string {
  return edgeWords[kind].out.toLowerCase();
}

/** Returns what the layout of a graph depends on: its shape and the sizes of its texts. */
export function layoutTaskOf(view: GraphView): LayoutTask {
  return {
    nodes: view.nodes.map((node) => {
      const width = columnsOf(node.label) * (node.depth === 0 ? middleColumnWidth : columnWidth);
      const label = { width, height: node.label.length * lineHeight };
      return { depth: node.depth, radius: radiusOf(view, node), label };
    }),
    edges: view.edges.map((edge) => ({
      from: edge.from.index,
      to: edge.to.index,
      word: { width: wordOf(edge).length * wordWidth, height: wordHeight },
    })),
  };
}

/** The outline of a node around a point. */
export function outline(shape: Shape, { x, y }: { x: number; y: number }, radius: number): Html {
  if (shape === 'agent') {
    const side = Math.round(radius * 18) / 10;
    const [left, top] = [x - side / 2, y - side / 2].map((at) => Math.round(at * 10) / 10);
    return html`<rect x="${left}" y="${top}" width="${side}" height="${side}" rx="2"/>`;
  }
  if (shape === 'address') {
    const half = radius + 1;
    return html`<path d="M${x} ${y - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}z"/>`;
  }
  return html`<circle cx="${x}" cy="${y}" r="${radius}"/>`;
}

/** An address is written from left to right, whatever its words are. */
function texts({ label: lines, shape }: ShownNode, { x, y }: { x: number; y: number }): Content {
  const first = y - ((lines.length - 1) * lineHeight) / 2;
  const direction = shape === 'address' ? 'ltr' : directionOfText(lines.join(' '));
  return lines.map(
    (line, index) =>
      html`<text x="${x}" y="${Math.round((first + index * lineHeight) * 10) / 10}"${direction === 'rtl' && html` direction="rtl"`}>${line}</text>`,
  );
}

interface Drawn {
  readonly view: GraphView;
  readonly layout: Layout;
}

function nodeLink({ view }: Drawn, node: ShownNode, placed: PlacedNode): Html {
  const { index, depth, shape, href } = node;
  const shown = html`${outline(shape, placed, radiusOf(view, node))}${placed.label !== null && texts(node, placed.label)}`;
  const name = nameOfNode(view, node);
  const classes = `n ${shape}${depth === 0 ? ' middle' : ''}`;
  // One stop for the tabulator key: a script moves it from node to node.
  const stop = depth === 0 ? '0' : '-1';
  if (href === null)
    return html`<g class="${classes}" id="dot-${index}" role="img" tabindex="${stop}" aria-label="${name}">${shown}</g>
`;
  const rel = shape === 'address' && html` rel="ugc nofollow noopener"`;
  return html`<a class="${classes}" id="dot-${index}" href="${href}"${rel} tabindex="${stop}" aria-label="${name}">${shown}</a>
`;
}

/** Relative to its start, because near numbers are short. */
function edgePath({ start, bend, end }: PlacedEdge): Html {
  const [middle, tip] = [bend, end].map(({ x, y }) => `${x - start.x} ${y - start.y}`);
  return html`<path d="M${start.x} ${start.y}q${middle} ${tip}"/>
`;
}

/** The ends of the lines or words of a group in their order, once for all of them: for the script. */
function endsOf(edges: readonly ShownEdge[]): string {
  return edges.map(({ from, to }) => `${from.index} ${to.index}`).join(',');
}

function placedEdges({ view, layout }: Drawn) {
  return view.edges.flatMap((edge, index) => {
    const at = layout.edges[index];
    return at === undefined ? [] : [{ edge, at }];
  });
}

/** The edges of one kind share a colour, a line and a tip. */
function edgeGroups({ view, layout }: Drawn): Content {
  const placed = placedEdges({ view, layout });
  const groups = Map.groupBy(placed, ({ edge }) => edge.kind);
  return [...groups].map(
    ([
      kind,
      edges,
    ]) => html`<g class="e ${classesOf(kind)}" marker-end="url(#tip-${kindStyles[kind][0]})" data-ends="${endsOf(edges.map(({ edge }) => edge))}">
${edges.map(({ at }) => edgePath(at))}</g>
`,
  );
}

/** The words of one kind, where there is room for them. */
function edgeWordsOf(drawn: Drawn): Content {
  const placed = placedEdges(drawn).flatMap(({ edge, at }) =>
    at.word === null ? [] : [{ edge, word: at.word }],
  );
  return [...Map.groupBy(placed, ({ edge }) => edge.kind)].map(
    ([
      kind,
      words,
    ]) => html`<g class="c-${kindStyles[kind][0]}" data-ends="${endsOf(words.map(({ edge }) => edge))}">
${words.map(
  ({ edge, word }) => html`<text x="${word.x}" y="${word.y}">${wordOf(edge)}</text>
`,
)}</g>
`,
  );
}

const tips = families.map(
  (family) =>
    html`<marker id="tip-${family}" class="c-${family}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z"/></marker>`,
);

/**
 * Returns the picture. Words are hidden from screen readers: the names of nodes and the list say the same. Each
 * node is a link with the number of its item in the list.
 */
export function graphPicture(view: GraphView, layout: Layout): Html {
  const { x, y, width, height } = layout.box;
  const drawn = { view, layout };
  return html`<svg class="graph" id="graph" viewBox="${x} ${y} ${width} ${height}" width="${Math.round(width * largest)}" height="${Math.round(height * largest)}" role="group" aria-label="Picture of the connections" aria-describedby="graph-says">
<defs>${tips}</defs>
<g aria-hidden="true">${edgeGroups(drawn)}</g>
<g class="words" aria-hidden="true">
${edgeWordsOf(drawn)}</g>
<g class="nodes">
${view.nodes.map((node, index) => {
  const placed = layout.nodes[index];
  return placed !== undefined && nodeLink(drawn, node, placed);
})}</g>
</svg>`;
}
