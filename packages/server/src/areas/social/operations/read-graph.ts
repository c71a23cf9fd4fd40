// GET /v1/articles/{id}/graph: the articles and addresses linked to or from an article, up to three steps.
import {
  auditedRead,
  isFindable,
  isOpen,
  isShown,
  requireKnown,
  requireReadScope,
} from '#articles';
import { edgeKinds, operations } from '@colophon/contract';
import type { Db } from '#database';
import { implement } from '#http';
import type { Caller } from '#http';
import { articleUrl } from '#lib/slug';
import { findShownEnds, listAround } from '../queries/index.ts';
import type { EdgeTarget, ShownEndRow } from '../queries/index.ts';
import { asSource, targetOfArticle, viewerOf } from '../rules/edges.ts';
import { candidatesOf, cutStep, graphOf, grow, perTargetOf } from '../rules/graph.ts';
import type { Graph } from '../rules/graph.ts';
import { graphDocument, graphView } from '../views/edges.ts';

interface Walk {
  readonly depth: number;
  readonly kinds: readonly string[];
  readonly caller: Caller | null;
}

/** Reads one row more than is used, to detect that there are more. */
function around(
  db: Db,
  targets: readonly EdgeTarget[],
  { kinds, caller }: Pick<Walk, 'kinds' | 'caller'>,
) {
  const perTarget = perTargetOf(targets.length) + 1;
  return listAround(db, targets, { kinds, perTarget, viewer: viewerOf(caller) });
}

/**
 * Walks the graph step by step: one statement reads the edges of all nodes of a step, another their far ends.
 */
async function walk(
  db: Db,
  graph: Graph,
  first: ReturnType<typeof around>,
  input: Walk,
): Promise<void> {
  const { depth: depthMax, caller } = input;
  const shows: Parameters<typeof grow>[1]['shows'] = (article, direction) =>
    direction === 'out' ? isShown(article, caller) : isFindable(asSource(article), caller);
  const asserts = (article: ShownEndRow) => isShown(asSource(article), caller);
  let step = first;
  let count = 1;
  for (let depth = 1; depth <= depthMax; depth += 1) {
    const rows = cutStep(graph, await step, perTargetOf(count));
    const articles = await findShownEnds(db, candidatesOf(graph, rows));
    const added = grow(graph, { rows, articles, depth, shows, asserts });
    if (added.length === 0) return;
    count = added.length;
    if (depth === depthMax) return;
    step = around(
      db,
      added.map(({ target }) => target),
      input,
    );
  }
}

export const readGraph = implement(operations.readGraph)(async (
  { db, caller, problem, config, mediaType },
  { params, query },
) => {
  const kinds = query.kinds?.split(',') ?? edgeKinds;
  const first = around(db, [targetOfArticle(params.id)], { kinds, caller });
  const [ends] = await Promise.all([findShownEnds(db, [params.id]), first]);
  const article = ends.get(params.id);
  requireKnown(problem, article, caller);
  const shared = isOpen(article);
  if (!shared) requireReadScope(article, caller);
  const graph = graphOf(article);
  await walk(db, graph, first, { depth: query.depth ?? 1, kinds, caller });
  const urlOf = (row: ShownEndRow) => articleUrl(config.baseUrl, row);
  const sources = new Set([...graph.edges.values()].map((edge) => edge.src_article_id));
  const shown = [...graph.nodes.values()].flatMap(({ id, article: one }) => {
    if (one === null) return [];
    return [sources.has(id) ? asSource(one) : one];
  });
  const audited = auditedRead(caller, shown);
  const answer = { status: 200 as const, body: graphView(graph, urlOf), shared, ...audited };
  if (mediaType === 'application/json') return answer;
  const payload = JSON.stringify(graphDocument(graph, urlOf, config.baseUrl));
  return { ...answer, otherwise: { contentType: mediaType, payload } };
});
