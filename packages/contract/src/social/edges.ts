// Edges: typed links from an article to another one or to an address, and the graph of them.
import {
  ArticleStatus,
  Author,
  closedObject,
  Id,
  LinkUri,
  nullable,
  oneOf,
  page,
  pageQuery,
  text,
  Timestamp,
  Trust,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { edgeDirections, edgeKinds, limits } from '../vocabulary.ts';
import { Type } from '../schema.ts';

const Kind = oneOf(edgeKinds);

const edgeFields = {
  id: Id,
  src_article_id: Id,
  kind: Kind,
  dst_article_id: nullable(Id),
  dst_uri: nullable(Type.String()),
  via_comment_id: nullable(Id),
  note: nullable(Type.String()),
  created_by_principal_id: Id,
  created_at: Timestamp,
  trust: Trust,
};

/** A typed link that the author of an article asserts. */
export const Edge = closedObject(edgeFields);

/** An article at the end of an edge. A removed article keeps its id and status, and loses the rest. */
const LinkedArticle = closedObject({
  id: Id,
  title: nullable(Type.String()),
  status: ArticleStatus,
  url: nullable(Type.String()),
  author: nullable(Author),
  trust: Trust,
});

/** An edge in a list, with the article at its other end if there is one and it is visible to the caller. */
const ListedEdge = closedObject({ ...edgeFields, article: nullable(LinkedArticle) });

const GraphNode = closedObject({
  id: Type.String({ description: 'id of an article, or a URI in canonical form' }),
  type: oneOf(['article', 'uri']),
  depth: Type.Integer({ description: 'number of steps from the requested article' }),
  article: nullable(LinkedArticle),
  trust: Trust,
});

const GraphEdge = closedObject({ ...edgeFields, from: Type.String(), to: Type.String() });

export const createEdge = operation('createEdge', {
  method: 'POST',
  path: '/v1/edges',
  summary: 'Assert a link from your article to another article or to a URI',
  description:
    'Name exactly one of `dst_article_id` and `dst_uri`. An edge that already exists (same source, kind ' +
    'and destination) is answered with 200 and its record. `supersedes` and `retracts` link articles of ' +
    'one author or owner. The author of the destination is notified once the source is public.',
  access: 'edges:write',
  body: closedObject({
    src_article_id: Id,
    kind: Kind,
    dst_article_id: Type.Optional(nullable(Id)),
    dst_uri: Type.Optional(nullable(LinkUri)),
    via_comment_id: Type.Optional(nullable(Id)),
    note: Type.Optional(nullable(text(0, limits.edge_note_max))),
  }),
  exampleWithout: ['dst_uri', 'via_comment_id'],
  answers: { 200: Edge, 201: Edge },
  problems: ['gone', 'unavailable-for-legal-reasons'],
  idempotency: 'required',
  dryRun: true,
  quota: 'edges.create',
});

export const deleteEdge = operation('deleteEdge', {
  method: 'DELETE',
  path: '/v1/edges/{id}',
  summary: 'Delete an edge that you asserted',
  access: 'edges:write',
  answers: { 204: null },
  problems: [],
});

export const readEdge = operation('readEdge', {
  method: 'GET',
  path: '/v1/edges/{id}',
  summary: 'Read one edge',
  access: 'public',
  answers: { 200: Edge },
  problems: [],
  cacheable: true,
});

export const listEdges = operation('listEdges', {
  method: 'GET',
  path: '/v1/edges',
  summary: 'List edges, newest first, or the edges to a URI',
  description:
    '`dst_uri` finds every edge to that URI in any spelling. `article` is the source. ' +
    'A page may contain fewer edges than `limit`: continue while there is a `next_cursor`.',
  access: 'public',
  query: { ...pageQuery, dst_uri: Type.Optional(LinkUri) },
  answers: { 200: page(ListedEdge) },
  problems: [],
  cacheable: true,
});

export const listArticleEdges = operation('listArticleEdges', {
  method: 'GET',
  path: '/v1/articles/{id}/edges',
  summary: 'List the edges from an article (`out`, the default) or to it (`in`), newest first',
  description:
    'Edges survive the removal of the articles that they connect: a removed article still lists them. `article` is the other ' +
    'end, or null if it is not visible to you. A page may contain fewer edges than `limit`: continue ' +
    'while there is a `next_cursor`.',
  access: 'public',
  query: {
    ...pageQuery,
    direction: Type.Optional(oneOf(edgeDirections)),
    kind: Type.Optional(Kind),
  },
  answers: { 200: page(ListedEdge) },
  problems: [],
  cacheable: true,
});

export const readGraph = operation('readGraph', {
  method: 'GET',
  path: '/v1/articles/{id}/graph',
  summary: 'Read the neighbourhood of an article: the articles and URIs that it is linked with',
  description:
    `At most ${limits.graph_nodes_max} nodes, nearest first; \`truncated\` is true if there are more. ` +
    '`Accept: application/ld+json` returns JSON-LD with CiTO terms.',
  access: 'public',
  query: {
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.graph_depth_max })),
    kinds: Type.Optional(
      Type.String({
        pattern: `^(?:${edgeKinds.join('|')})(?:,(?:${edgeKinds.join('|')}))*$`,
        maxLength: 255,
        description: 'kinds of edges to follow, separated by commas, such as cites,extends',
      }),
    ),
  },
  answers: {
    200: closedObject({
      nodes: Type.Array(GraphNode),
      edges: Type.Array(GraphEdge),
      truncated: Type.Boolean(),
    }),
  },
  problems: [],
  cacheable: true,
  alsoAs: ['application/ld+json'],
});
