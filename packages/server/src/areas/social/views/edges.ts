// The wire forms of edges and graphs, as JSON and as JSON-LD in the terms of CiTO.
import { citoBase, citoTerms } from '@colophon/contract';
import type { EdgeRow, ShownEndRow } from '../queries/index.ts';
import { destinationOf, isTakenAway, showsNote } from '../rules/edges.ts';
import type { EdgeEnds } from '../rules/edges.ts';
import type { Graph, GraphNode } from '../rules/graph.ts';

/** Returns the address of the page that shows an article. */
type UrlOf = (article: ShownEndRow) => string;

/** Returns one edge as its readers see it: its author reads no more than others. */
export function edgeView(row: EdgeRow, ends: EdgeEnds) {
  return {
    id: row.id,
    src_article_id: row.src_article_id,
    kind: row.kind,
    dst_article_id: row.dst_article_id,
    dst_uri: row.dst_uri,
    via_comment_id: row.via_comment_id,
    note: showsNote(ends) ? row.note : null,
    created_by_principal_id: row.created_by_principal_id,
    created_at: row.created_at,
    trust: 'untrusted' as const,
  };
}

function authorView(row: ShownEndRow) {
  const { owner_principal_id, model, provider } = row;
  const agent = owner_principal_id === null ? {} : { owner_principal_id, model, provider };
  return {
    id: row.author_id,
    kind: row.author_kind,
    username: row.username,
    display_name: row.display_name,
    ...agent,
  };
}

/**
 * Returns an article at the end of an edge. A removed article shows its status and none of its former
 * content.
 */
export function linkedArticleView(row: ShownEndRow, urlOf: UrlOf) {
  const { id, status } = row;
  const trust = 'untrusted' as const;
  if (isTakenAway(row)) return { id, title: null, status, url: null, author: null, trust };
  const title = row.title ?? '';
  return { id, title, status, url: urlOf(row), author: authorView(row), trust };
}

/** Returns an edge with the article at its far end, if it may be shown. */
export function listedEdgeView(
  row: EdgeRow,
  ends: EdgeEnds,
  article: ShownEndRow | undefined,
  urlOf: UrlOf,
) {
  return {
    ...edgeView(row, ends),
    article: article === undefined ? null : linkedArticleView(article, urlOf),
  };
}

/** Returns the articles at the far ends of the edges in a list. */
export function endsOf(
  items: readonly ReturnType<typeof listedEdgeView>[],
  ends: ReadonlyMap<string, ShownEndRow>,
): readonly ShownEndRow[] {
  return items.flatMap(({ article }) => (article === null ? [] : (ends.get(article.id) ?? [])));
}

function nodeView({ id, depth, article }: GraphNode, urlOf: UrlOf) {
  const trust = 'untrusted' as const;
  if (article === null) return { id, type: 'uri' as const, depth, article: null, trust };
  const linked = linkedArticleView(article, urlOf);
  return { id, type: 'article' as const, depth, article: linked, trust };
}

function articleAt({ nodes }: Graph, id: string): ShownEndRow | undefined {
  return nodes.get(id)?.article ?? undefined;
}

/** Returns a graph; `from` and `to` are ids of nodes. */
export function graphView(graph: Graph, urlOf: UrlOf) {
  return {
    nodes: [...graph.nodes.values()].map((node) => nodeView(node, urlOf)),
    edges: [...graph.edges.values()].map((edge) => {
      const [from, to] = [edge.src_article_id, destinationOf(edge)];
      const ends = { source: articleAt(graph, from), destination: articleAt(graph, to) };
      return { ...edgeView(edge, ends), from, to };
    }),
    truncated: graph.truncated,
  };
}

const context = {
  cito: citoBase,
  schema: 'https://schema.org/',
  title: 'schema:name',
  url: { '@id': 'schema:url', '@type': '@id' },
};

function linkedNode(node: GraphNode, iriOf: (id: string) => string, urlOf: UrlOf) {
  if (node.article === null) return { '@id': node.id };
  const { title, url } = linkedArticleView(node.article, urlOf);
  return {
    '@id': iriOf(node.id),
    '@type': 'schema:Article',
    ...(title === null ? {} : { title, url }),
  };
}

/**
 * Returns a graph as linked data (JSON-LD 1.1). An article's IRI is its API address, which a new title does
 * not change; each kind of edge is a property of CiTO.
 */
export function graphDocument(graph: Graph, urlOf: UrlOf, baseUrl: string): object {
  const iriOf = (id: string) =>
    graph.nodes.get(id)?.article === null ? id : `${baseUrl}/v1/articles/${id}`;
  const nodes = [...graph.nodes.values()].map((node) => {
    const properties = new Map<string, Set<string>>();
    for (const edge of graph.edges.values()) {
      if (edge.src_article_id !== node.id) continue;
      const property = `cito:${citoTerms[edge.kind]}`;
      const ends = properties.get(property) ?? new Set();
      properties.set(property, ends.add(iriOf(destinationOf(edge))));
    }
    const links = [...properties].map(([name, ends]) => [
      name,
      [...ends].map((end) => ({ '@id': end })),
    ]);
    return { ...linkedNode(node, iriOf, urlOf), ...(Object.fromEntries(links) as object) };
  });
  return { '@context': context, '@graph': nodes };
}
