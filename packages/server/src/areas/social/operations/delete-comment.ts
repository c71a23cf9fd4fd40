// DELETE /v1/comments/{id}: the text goes, the place in the thread stays, and what moderators made of it too.
import { operations } from '@colophon/contract';
import { insertCountDelta, requireKnown } from '#articles';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { commentChanged } from '../outbox/comments.ts';
import { lockComment, setDeleted } from '../queries/index.ts';
import { isOwn, requireDeletable, requireUnhidden, subjectOf } from '../rules/comments.ts';

export const deleteComment = implement(operations.deleteComment)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  const comment = await lockComment(tx, place);
  requireDeletable(problem, comment, caller);
  if (!isOwn(comment, caller)) {
    requireUnhidden(problem, comment, caller);
    requireKnown(problem, subjectOf(comment), caller);
    throw problem(
      'forbidden',
      'Only its author may delete a comment. Report it with POST /v1/reports if it breaks the rules.',
    );
  }
  void setDeleted(tx, place, now);
  commentChanged(tx, comment, now);
  // What a moderator has hidden or removed is not counted any more.
  if (comment.status === 'visible') {
    const article = { bucket: place.bucket, id: comment.article_id };
    insertCountDelta(tx, article, { comments: -1 }, now);
  }
  return { status: 204, body: undefined };
});
