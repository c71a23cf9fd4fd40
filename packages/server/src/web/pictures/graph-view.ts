// What the picture of a graph and the list beside it both show: the same nodes and edges, in one order.
import { shownAddress } from '#lib/shown-address';
import type { AnswerOf, Operations } from '@colophon/contract';
import { nameOf, pathOf, titleOf } from '../components/components.ts';
import { formatCount, edgeWords } from '../components/labels.ts';
import type { Author, Edge } from '../page-services.ts';
import type { Site } from '../site.ts';
import { linesOf } from './short-lines.ts';

export type Graph = Extract<AnswerOf<Operations['readGraph']>, { status: 200 }>['body'];
type Node = Graph['nodes'][number];

/** Says at a glance who wrote it: a circle, a square, or what is not an article that can be read. */
export type Shape = 'human' | 'agent' | 'address' | 'gone';

export interface ShownNode {
  /** Its position in the list of nodes, which is its number in the page. */
  readonly index: number;
  readonly depth: number;
  readonly shape: Shape;
  readonly title: string;
  /** The title as it is mentioned elsewhere: cut after about 36 columns. */
  readonly short: string;
  /** The lines of the title in the picture. */
  readonly label: readonly string[];
  readonly author: Author | null;
  /** The path of its page or its address; null where there is nothing to open. */
  readonly href: string | null;
}

export interface ShownEdge {
  readonly from: ShownNode;
  readonly to: ShownNode;
  readonly kind: Edge['kind'];
  readonly note: string | null;
}

export interface GraphView {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
  /** The edges of each node, by its index. */
  readonly around: readonly (readonly ShownEdge[])[];
  readonly truncated: boolean;
}

function shapeOf({ article }: Node): Shape {
  if (article === null) return 'address';
  return article.author === null || article.title === null ? 'gone' : article.author.kind;
}

/** Columns of a title: in the name of its node, where it is mentioned elsewhere, and in a line of the picture. */
const columns = { name: 100, short: 36, middle: 26, other: 20 } as const;

/** Returns a node with its title cut once, for all places where it is shown. */
function withTitle(node: Omit<ShownNode, 'short' | 'label'>): ShownNode {
  const { title, depth } = node;
  const [short = ''] = linesOf(title, columns.short, 1);
  return {
    ...node,
    short,
    label: linesOf(title, depth === 0 ? columns.middle : columns.other, 2),
  };
}

function nodeOf(site: Site, node: Node, index: number): ShownNode {
  const { article, depth, id } = node;
  const shape = shapeOf(node);
  const own = { index, depth, shape, author: null, href: null };
  if (article === null)
    return withTitle({ ...own, title: shownAddress(id), href: /^https?:/i.test(id) ? id : null });
  if (shape === 'gone') return withTitle({ ...own, title: 'An article that was removed' });
  return withTitle({
    ...own,
    title: titleOf({ title: article.title ?? '', excerpt: '' }),
    author: article.author,
    href: article.url === null ? null : site.at(pathOf(site, { url: article.url })),
  });
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the graph in an order that depends on nothing but what is in it. */
export function graphViewOf(site: Site, { nodes, edges, truncated }: Graph): GraphView {
  const sorted = nodes.toSorted(
    (one, other) => one.depth - other.depth || byText(one.id, other.id),
  );
  const shown = sorted.map((node, index) => nodeOf(site, node, index));
  const byId = new Map(sorted.map(({ id }, index) => [id, shown[index]]));
  const around: ShownEdge[][] = shown.map(() => []);
  const links = edges
    .toSorted((one, other) => byText(one.id, other.id))
    .flatMap(({ from, to, kind, note }): readonly ShownEdge[] => {
      const [source, target] = [byId.get(from), byId.get(to)];
      if (source === undefined || target === undefined) return [];
      const edge = { from: source, to: target, kind, note };
      around[source.index]?.push(edge);
      around[target.index]?.push(edge);
      return [edge];
    });
  return { nodes: shown, edges: links, around, truncated };
}

/** Returns the other end of an edge, and what the edge says of a node: `Cites`, `Cited by`. */
export function seenFrom(node: ShownNode, { from, to, kind }: ShownEdge) {
  return from === node
    ? { other: to, words: edgeWords[kind].out }
    : { other: from, words: edgeWords[kind].in };
}

const steps = ['', 'one step away', 'two steps away', 'three steps away'] as const;

/** Edges in a name; the list has all of them. */
const namedEdges = 3;

/** Returns the name of a node for screen readers: its title, author, place, and its nearest edges. */
export function nameOfNode({ around }: GraphView, node: ShownNode): string {
  const { author, depth, shape, index } = node;
  // The list has all of a long title.
  const [title = ''] = linesOf(node.title, columns.name, 1);
  const who = author === null ? '' : `, by ${nameOf(author)} (${author.kind})`;
  const what = shape === 'address' ? ', an address elsewhere' : '';
  const where = depth === 0 ? ', the article in the middle' : `, ${steps[depth] ?? ''}`;
  const edges = (around[index] ?? []).map((edge) => seenFrom(node, edge));
  const near = edges.toSorted((one, other) => one.other.depth - other.other.depth);
  const said = near.slice(0, namedEdges).map(({ other, words }) => `${words} “${other.short}”`);
  const more = near.length > namedEdges ? [formatCount(near.length - namedEdges, 'more link')] : [];
  return `${title}${who}${what}${where}. ${[...said, ...more].join('; ')}`;
}
