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
import type { EdgeRow, EndRow, ShownEndRow } from '../queries/index.ts';
import { asSource, targetOfArticle, viewerOf } from '../rules/edges.ts';
import { endsOf, listedEdgeView } from '../views/edges.ts';

type UrlOf = (article: ShownEndRow) => string;
type Ends = ReadonlyMap<string, ShownEndRow>;

interface Listed {
  /** The article that the list is about. */
  readonly article: EndRow;
  readonly ends: Ends;
  readonly caller: Caller | null;
  readonly urlOf: UrlOf;
}

/**
 * Returns all edges, because the article itself asserts them. The far end is omitted when the caller may not
 * see it.
 */
function outgoingEdges(rows: readonly EdgeRow[], { article, ends, caller, urlOf }: Listed) {
  if (!isShown(asSource(article), caller)) return [];
  return rows.map((row) => {
    const destination = ends.get(row.dst_article_id ?? '');
    const shows = destination !== undefined && isShown(destination, caller);
    const both = { source: article, destination };
    return listedEdgeView(row, both, shows ? destination : undefined, urlOf);
  });
}

/** Returns the edges whose source the caller may find. */
function incomingEdges(rows: readonly EdgeRow[], { article, ends, caller, urlOf }: Listed) {
  return rows.flatMap((row) => {
    const source = ends.get(row.src_article_id);
    if (source === undefined || !isFindable(asSource(source), caller)) return [];
    return [listedEdgeView(row, { source, destination: article }, source, urlOf)];
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
  const asking = inward ? article : asSource(article);
  // Of one that was hidden and then removed everyone gets a list, if an empty one; so does every token.
  if (!isOpen(article)) requireReadScope(article, caller);
  const { items, next_cursor } = pageOf(rows, limit, {
    view: (row) => row,
    cursor: (row) => row.id,
  });
  const ids = items.map((row) => (inward ? row.src_article_id : row.dst_article_id));
  const ends = await findShownEnds(db, [...new Set(ids.filter((id) => id !== null))]);
  const urlOf: UrlOf = (end) => articleUrl(config.baseUrl, end);
  const shown = (inward ? incomingEdges : outgoingEdges)(items, { article, ends, caller, urlOf });
  const far = endsOf(shown, ends).map((end) => (inward ? asSource(end) : end));
  const audited = auditedRead(caller, [asking, ...far]);
  return { status: 200, body: { items: shown, next_cursor }, shared: isOpen(asking), ...audited };
});
