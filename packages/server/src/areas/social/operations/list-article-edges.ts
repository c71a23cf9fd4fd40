// GET /v1/articles/{id}/edges: the edges from an article or to it, including removed articles.
import {
  auditedRead,
  isFindable,
  isOpen,
  isShown,
  requireKnown,
  requireReadScope,
} from '#articles';
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import type { Caller } from '#http';
import { keyOf } from '#lib/id';
import { articleUrl } from '#lib/slug';
import { findEnd, findShownEnds, listIncoming, listOutgoing } from '../queries/index.ts';
import type { EdgeRow, ShownEndRow } from '../queries/index.ts';
import { targetOfArticle, viewerOf } from '../rules/edges.ts';
import { endsOf, listedEdgeView } from '../views/edges.ts';

type UrlOf = (article: ShownEndRow) => string;
type Ends = ReadonlyMap<string, ShownEndRow>;

/**
 * Returns all edges, because the article itself asserts them. The far end is omitted when the caller may not
 * see it.
 */
function outgoingEdges(rows: readonly EdgeRow[], ends: Ends, caller: Caller | null, urlOf: UrlOf) {
  return rows.map((row) => {
    const end = ends.get(row.dst_article_id ?? '');
    const shows = end !== undefined && isShown(end, caller);
    return listedEdgeView(row, shows ? end : undefined, urlOf);
  });
}

/** Returns the edges whose source the caller may find. */
function incomingEdges(rows: readonly EdgeRow[], ends: Ends, caller: Caller | null, urlOf: UrlOf) {
  return rows.flatMap((row) => {
    const end = ends.get(row.src_article_id);
    if (end === undefined || !isFindable(end, caller)) return [];
    return [listedEdgeView(row, end, urlOf)];
  });
}

export const listArticleEdges = implement(operations.listArticleEdges)(async (
  { db, caller, problem, config },
  { params, query },
) => {
  const key = keyOf(params.id);
  const limit = limitOf(query);
  const page = { kind: query.kind, before: query.cursor, limit };
  const inward = query.direction === 'in';
  const [article, rows] = await Promise.all([
    findEnd(db, key),
    inward
      ? listIncoming(db, targetOfArticle(params.id), { ...page, viewer: viewerOf(caller) })
      : listOutgoing(db, key, page),
  ]);
  requireKnown(problem, article, caller);
  const open = isOpen(article);
  if (!open) requireReadScope(article, caller);
  const { items, next_cursor } = pageOf(rows, limit, {
    view: (row) => row,
    cursor: (row) => row.id,
  });
  const far = items.map((row) => (inward ? row.src_article_id : row.dst_article_id));
  const ends = await findShownEnds(db, [...new Set(far.filter((id) => id !== null))]);
  const shown = (inward ? incomingEdges : outgoingEdges)(items, ends, caller, (end) =>
    articleUrl(config.baseUrl, end),
  );
  const audited = auditedRead(caller, [article, ...endsOf(shown, ends)]);
  return { status: 200, body: { items: shown, next_cursor }, shared: open, ...audited };
});
