// DELETE /v1/comments/{id}: deletes the text; the place in the thread and any moderation stay.
import { operations } from '@colophon/contract';
import { insertCountDelta, isKnown } from '#articles';
import { eraseStoredText, implement } from '#http';
import { keyOf } from '#lib/id';
import { commentChanged, commentDeleted } from '../outbox/comments.ts';
import { lockComment, setDeleted } from '../queries/index.ts';
import { isOwn, requireDeletable } from '../rules/comments.ts';

export const deleteComment = implement(operations.deleteComment)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const key = keyOf(params.id);
  const comment = await lockComment(tx, key);
  requireDeletable(problem, comment, caller, (article) => isKnown(article, caller));
  if (!isOwn(comment, caller)) {
    throw problem(
      'forbidden',
      'Only the author can delete a comment. Report it with POST /v1/reports if it breaks the rules.',
    );
  }
  void setDeleted(tx, key, now);
  void eraseStoredText(tx, keyOf(comment.author_id), { id: key.id, member: 'content' });
  commentChanged(tx, comment, now);
  commentDeleted(tx, comment, now);
  // A hidden or removed comment is no longer counted.
  if (comment.status === 'visible') {
    const article = { bucket: key.bucket, id: comment.article_id };
    insertCountDelta(tx, article, { comments: -1 }, now);
  }
  return { status: 204, body: undefined };
});
