// The neighbourhood of an article, step by step: which nodes it includes, their order, and its limits. Pure.
import { limits } from '@colophon/contract';
import type { AroundRow, EdgeRow, EdgeTarget, ShownEndRow } from '../queries/index.ts';
import { destinationOf, targetOf, targetOfArticle } from './edges.ts';

/** Edges in one response, and in one step. */
const edgesMax = 1_000;
/** Edges of each direction read for one node, however many nodes a step has. */
const perTargetMin = 10;
/** Articles looked up for one step. */
const candidatesMax = 400;

export interface GraphNode {
  /** Id of the article, or the address in its canonical form. */
  readonly id: string;
  readonly depth: number;
  readonly article: ShownEndRow | null;
  readonly target: EdgeTarget;
}

export interface Graph {
  readonly nodes: Map<string, GraphNode>;
  readonly edges: Map<string, EdgeRow>;
  truncated: boolean;
}

export function graphOf(article: ShownEndRow): Graph {
  const start = { id: article.id, depth: 0, article, target: targetOfArticle(article.id) };
  return { nodes: new Map([[start.id, start]]), edges: new Map(), truncated: false };
}

/** Returns how many edges of each direction are read per node in a step with this many nodes. */
export function perTargetOf(targets: number): number {
  return Math.min(
    limits.graph_nodes_max,
    Math.max(perTargetMin, Math.floor(edgesMax / Math.max(1, targets))),
  );
}

function farEnd(row: AroundRow): string {
  return row.direction === 'out' ? destinationOf(row) : row.src_article_id;
}

/**
 * Returns the rows of a step without those beyond its limit: each list was read with one row more than
 * `perTarget`.
 */
export function cutStep(
  graph: Graph,
  rows: readonly AroundRow[],
  perTarget: number,
): readonly AroundRow[] {
  const seen = new Map<string, number>();
  return rows.filter(({ place, direction }) => {
    const list = `${place} ${direction}`;
    const count = (seen.get(list) ?? 0) + 1;
    seen.set(list, count);
    if (count > perTarget) graph.truncated = true;
    return count <= perTarget;
  });
}

/** Returns the articles at the far ends that are not in the graph yet, in the order of discovery. */
export function candidatesOf(graph: Graph, rows: readonly AroundRow[]): readonly string[] {
  const articles = rows
    .map((row) => (row.direction === 'out' ? row.dst_article_id : row.src_article_id))
    .filter((id) => id !== null && !graph.nodes.has(id));
  const ids = [...new Set(articles)] as string[];
  if (ids.length > candidatesMax) graph.truncated = true;
  return ids.slice(0, candidatesMax);
}

interface Step {
  readonly rows: readonly AroundRow[];
  readonly articles: ReadonlyMap<string, ShownEndRow>;
  readonly depth: number;
  /** Whether the caller may find an article in this direction. */
  readonly shows: (article: ShownEndRow, direction: AroundRow['direction']) => boolean;
  /** Whether the caller may see the edges that an article asserts. */
  readonly asserts: (article: ShownEndRow) => boolean;
}

/** Returns the node that an edge leads to, unless the caller may not see or find it in this direction. */
function nodeOf(row: AroundRow, step: Step): GraphNode | undefined {
  const { depth } = step;
  if (row.direction === 'out' && row.dst_article_id === null)
    return { id: farEnd(row), depth, article: null, target: targetOf(row) };
  const article = step.articles.get(farEnd(row));
  if (article === undefined || !step.shows(article, row.direction)) return undefined;
  return { id: article.id, depth, article, target: targetOfArticle(article.id) };
}

/** Adds the rows of a step, nearest and newest first, and returns the new nodes. */
export function grow(graph: Graph, step: Step): readonly GraphNode[] {
  const added: GraphNode[] = [];
  const rows = step.rows.filter(({ src_article_id: id }) => {
    const source = graph.nodes.get(id)?.article ?? step.articles.get(id);
    return source === undefined || step.asserts(source);
  });
  for (const row of rows) {
    const node = graph.nodes.has(farEnd(row)) ? undefined : nodeOf(row, step);
    if (node === undefined) continue;
    if (graph.nodes.size >= limits.graph_nodes_max) {
      graph.truncated = true;
      break;
    }
    graph.nodes.set(node.id, node);
    added.push(node);
  }
  for (const { direction: _, place: __, ...edge } of rows) {
    if (!graph.nodes.has(edge.src_article_id) || !graph.nodes.has(destinationOf(edge))) continue;
    if (graph.edges.size >= edgesMax && !graph.edges.has(edge.id)) graph.truncated = true;
    else graph.edges.set(edge.id, edge);
  }
  return added;
}
