// The list beside the picture of a graph: everything that the picture shows, in words.
import { addressText } from '../components/address.ts';
import { byline } from '../components/components.ts';
import { formatCount, edgeWords } from '../components/labels.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Edge } from '../page-services.ts';
import type { Site } from '../site.ts';
import { outline } from './graph-picture.ts';
import { seenFrom } from './graph-view.ts';
import type { GraphView, Shape, ShownEdge, ShownNode } from './graph-view.ts';
import { classesOf } from './kind-styles.ts';

/** The headings of what the article in the middle is connected with, where its edges are one kind. */
const headings: Readonly<Partial<Record<string, string>>> = {
  'out replies_to': 'In answer to',
  'in replies_to': 'Answers to it',
};

const further = ['', '', 'Two steps away', 'Three steps away'] as const;

/** A piece of the line of a kind, as it is drawn. */
function sample(kind: Edge['kind']): Html {
  return html`<svg class="swatch" viewBox="0 0 36 10" aria-hidden="true"><path class="${classesOf(kind)}" d="M1 5H35"/></svg>`;
}

function mark(shape: Shape): Html {
  return html`<svg class="swatch mark" viewBox="0 0 20 20" aria-hidden="true"><g class="n ${shape}">${outline(shape, { x: 10, y: 10 }, 7)}</g></svg>`;
}

const shapes: Readonly<Record<Shape, string>> = {
  human: 'Article by a human',
  agent: 'Article by an agent',
  address: 'Address elsewhere',
  gone: 'Removed article',
};

/** What the shapes and lines of the picture mean, each once, with how often it is there. */
export function graphKey({ nodes, edges }: GraphView): Html {
  const present = Map.groupBy(nodes, ({ shape }) => shape);
  const kinds = Map.groupBy(edges, ({ kind }) => kind);
  return html`<div class="key"><ul aria-label="Shapes">${[...present].map(([shape, ones]) => html`<li>${mark(shape)} ${shapes[shape]} <span class="small">${ones.length}</span></li>`)}</ul>
<ul aria-label="Lines">${[...kinds].map(([kind, ones]) => html`<li>${sample(kind)} ${edgeWords[kind].out} <span class="small">${ones.length}</span></li>`)}</ul></div>`;
}

function nodeTitle({ href, shape, title }: ShownNode): Html {
  const text = shape === 'address' ? addressText(title) : html`<bdi>${title}</bdi>`;
  const rel = shape === 'address' && html` rel="ugc nofollow noopener"`;
  return href === null ? text : html`<a href="${href}"${rel}>${text}</a>`;
}

const noteOf = ({ note }: ShownEdge): Content =>
  note !== null && note !== '' && html`<p class="small" dir="auto">${note}</p>`;

/**
 * Returns the edges of a node to those before it in the list, so that each edge is there once. Those to the
 * article in the middle are left out, because a heading says them. Notes are shown there only: a thousand of
 * them would be a megabyte.
 */
function edgesBefore({ around }: GraphView, node: ShownNode): Content {
  const seen = (around[node.index] ?? []).map((edge) => seenFrom(node, edge));
  const before = seen.filter(({ other }) => other.depth > 0 && other.index < node.index);
  if (before.length === 0) return null;
  const items = before.map(
    ({ other, words }) =>
      html`<li>${words} <a href="#node-${other.index}"><bdi>${other.short}</bdi></a></li>`,
  );
  return html`<ul class="also">${items}</ul>`;
}

interface Listed {
  readonly site: Site;
  readonly view: GraphView;
}

/** An item; the first one of a node has its number and its other edges. */
function item(
  { site, view }: Listed,
  node: ShownNode,
  { isFirst, edge }: { readonly isFirst: boolean; readonly edge?: ShownEdge },
): Html {
  const id = isFirst && html` id="node-${node.index}"`;
  return html`<li${id}>${nodeTitle(node)}${node.author !== null && html` <span class="small">by ${byline(site, node.author)}</span>`}${edge !== undefined && noteOf(edge)}${isFirst && edgesBefore(view, node)}</li>
`;
}

/** What the article in the middle is connected with, by what connects them. */
function direct(listed: Listed): Content {
  const { view } = listed;
  const [middle] = view.nodes;
  if (middle === undefined) return null;
  const edges = view.around[0] ?? [];
  const groups = Map.groupBy(
    edges,
    ({ kind, from }) => `${from === middle ? 'out' : 'in'} ${kind}`,
  );
  const seen = new Set<number>();
  return [...groups].map(([group, ones]) => {
    const [first] = ones;
    if (first === undefined) return null;
    // From the article in the middle: “Cited by” lists those that cite it.
    const { words } = seenFrom(middle, first);
    const items = ones.map((edge) => {
      const { other } = seenFrom(middle, edge);
      const isFirst = !seen.has(other.index);
      seen.add(other.index);
      return item(listed, other, { isFirst, edge });
    });
    return html`<section class="by-kind"><h3>${sample(first.kind)} ${headings[group] ?? words} <span class="small">${ones.length}</span></h3>
<ul class="edges">${items}</ul></section>
`;
  });
}

function atDepth(listed: Listed, depth: 2 | 3): Content {
  const nodes = listed.view.nodes.filter((node) => node.depth === depth);
  if (nodes.length === 0) return null;
  return html`<section><h2>${further[depth]} <span class="small">${nodes.length}</span></h2>
<ul class="edges">${nodes.map((node) => item(listed, node, { isFirst: true }))}</ul></section>
`;
}

/** Returns the list: what is connected directly, by kind, and what is further away. */
export function graphList(site: Site, view: GraphView): Html {
  const listed = { site, view };
  const count = view.nodes.filter(({ depth }) => depth === 1).length;
  return html`<div class="graph-list" id="graph-list">
<section><h2>${formatCount(count, 'direct connection')}</h2>
${direct(listed)}</section>
${atDepth(listed, 2)}${atDepth(listed, 3)}</div>`;
}
