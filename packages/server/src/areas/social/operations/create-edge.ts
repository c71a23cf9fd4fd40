// POST /v1/edges: the author of an article asserts a link from it.
import {
  insertCountDelta,
  isOpen,
  isPublic,
  requireAuthor,
  requireKnown,
  requireLive,
  standingOf,
} from '#articles';
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import { implement, invalid } from '#http';
import type { Caller } from '#http';
import { bucketOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { edgeAnnounced } from '../outbox/edges.ts';
import { findComment, findSame, holdEnd, insertEdge } from '../queries/index.ts';
import type { EdgeRow, EndRow } from '../queries/index.ts';
import { namedFaults, targetOfAddress, targetOfArticle, wishFaults } from '../rules/edges.ts';
import { edgeView } from '../views/edges.ts';

type Body = BodyOf<typeof operations.createEdge>;

const placeOf = (id: string) => ({ bucket: bucketOf(id), id });

function edgeOf(body: Body, caller: Caller, now: Date): EdgeRow {
  const { src_article_id, kind, dst_article_id = null, dst_uri = null } = body;
  const target =
    dst_article_id === null ? targetOfAddress(dst_uri ?? '') : targetOfArticle(dst_article_id);
  return {
    id: newId(bucketOf(src_article_id), now.getTime()),
    src_article_id,
    kind,
    dst_key: target.key,
    dst_article_id,
    dst_uri,
    via_comment_id: body.via_comment_id ?? null,
    note: body.note ?? null,
    created_by_principal_id: caller.id,
    created_at: timestamp(now),
  };
}

/** To name an article takes no more than to know it: nothing of it is answered. */
function ifKnown(article: EndRow | undefined, caller: Caller): EndRow | undefined {
  if (article === undefined || isOpen(article)) return article;
  return standingOf(article, caller) === 'reader' ? undefined : article;
}

export const createEdge = implement(operations.createEdge, async (_context, { body }) => {
  const faults = wishFaults(body);
  if (faults.length > 0) throw invalid(faults);
})(async ({ tx, caller, problem, now, charge }, { body }) => {
  const edge = edgeOf(body, caller, now);
  const place = placeOf(edge.src_article_id);
  const { dst_article_id: destinationId, via_comment_id: commentId } = edge;
  const [source, same, held, comment] = await Promise.all([
    holdEnd(tx, place),
    findSame(tx, place, edge),
    destinationId === null ? undefined : holdEnd(tx, placeOf(destinationId)),
    commentId === null ? undefined : findComment(tx, placeOf(commentId)),
  ]);
  requireKnown(problem, source, caller);
  requireAuthor(problem, source, caller, false);
  requireLive(problem, source);
  const destination = ifKnown(held, caller);
  const faults = namedFaults(body, { source, destination, comment });
  if (faults.length > 0) throw invalid(faults);
  if (same !== undefined) return { status: 200, body: edgeView(same) };
  const found = isPublic(source);
  void insertEdge(tx, place.bucket, edge, found ? edge.created_at : null);
  insertCountDelta(tx, place, { edgesOut: 1 }, now);
  charge('edges.create');
  // Else the pipeline announces it when the article changes, which waits for this transaction.
  if (found) edgeAnnounced(tx, edge, { source, destination }, now);
  return { status: 201, location: `/v1/edges/${edge.id}`, body: edgeView(edge) };
});
