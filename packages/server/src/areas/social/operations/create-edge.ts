// POST /v1/edges: the author of an article asserts an edge from it.
import {
  insertCountDelta,
  isKnown,
  isPublic,
  requireAuthor,
  requireKnown,
  requireLive,
} from '#articles';
import type { Subject } from '#articles';
import { operations } from '@colophon/contract';
import type { BodyOf } from '@colophon/contract';
import { implement, invalid } from '#http';
import type { Caller } from '#http';
import { bucketOf, keyOf, newId } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { updateEdgeTarget } from '../outbox/edges.ts';
import { findComment, insertEdge, lockEnds, lockEqualEdge } from '../queries/index.ts';
import type { CommentInArticle, EdgeRow, EndRow } from '../queries/index.ts';
import { isKnownComment, subjectOf } from '../rules/comments.ts';
import {
  namedFaults,
  requireNamed,
  targetOfAddress,
  targetOfArticle,
  inputFaults,
} from '../rules/edges.ts';
import { edgeView } from '../views/edges.ts';

type Body = BodyOf<typeof operations.createEdge>;

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

interface Found {
  readonly article: EndRow | undefined;
  readonly comment: CommentInArticle | undefined;
}

/**
 * Returns the article and comment that the caller may know. That is enough to name them, since the response
 * contains nothing of them.
 */
function knownOf({ article, comment }: Found, caller: Caller) {
  const knows = (subject: Subject) => isKnown(subject, caller);
  const knowsComment = (one: CommentInArticle) =>
    isKnownComment(one, { caller, knowsArticle: knows(subjectOf(one)) });
  return {
    destination: article !== undefined && knows(article) ? article : undefined,
    comment: comment !== undefined && knowsComment(comment) ? comment : undefined,
  };
}

export const createEdge = implement(operations.createEdge, async (_context, { body }) => {
  const faults = inputFaults(body);
  if (faults.length > 0) throw invalid(faults);
})(async ({ tx, caller, problem, now, charge }, { body }) => {
  const edge = edgeOf(body, caller, now);
  const key = keyOf(edge.src_article_id);
  const { dst_article_id: destinationId, via_comment_id: commentId } = edge;
  const [[source, article], existing, comment] = await Promise.all([
    lockEnds(tx, key.id, destinationId),
    lockEqualEdge(tx, key, edge),
    commentId === null ? undefined : findComment(tx, keyOf(commentId)),
  ]);
  const named = knownOf({ article, comment }, caller);
  requireKnown(problem, source, caller);
  requireNamed(problem, body, named);
  requireAuthor(problem, source, caller, false);
  requireLive(problem, source);
  const faults = namedFaults(body, { ...named, source });
  if (faults.length > 0) throw invalid(faults);
  const ends = { source, destination: named.destination };
  if (existing !== undefined) return { status: 200, body: edgeView(existing, ends) };
  const shown = isPublic(source);
  void insertEdge(tx, key.bucket, edge, shown);
  insertCountDelta(tx, key, { edgesOut: 1 }, now);
  charge('edges.create');
  // An edge that is not shown yet is shown by the pipeline when the article changes; that change waits for
  // this transaction.
  updateEdgeTarget(tx, edge, ends, { shown, counted: false, announced: false, now });
  return { status: 201, location: `/v1/edges/${edge.id}`, body: edgeView(edge, ends) };
});
