// POST /v1/articles/{id}/comments: a comment, or a reply when it names a parent.
import { operations } from '@colophon/contract';
import { requireReadable } from '#articles';
import { implement } from '#http';
import { bucketOf, newId } from '#lib/id';
import { commentWritten } from '../outbox/comments.ts';
import { insertComment, insertOwn } from '../queries/index.ts';
import { requireCommented, requireWriter, subjectOf } from '../rules/comments.ts';
import { newCommentView } from '../views/comments.ts';

export const createComment = implement(operations.createComment)(async (
  { tx, caller, problem, now, charge },
  { params, body },
) => {
  const bucket = bucketOf(params.id);
  const comment = {
    bucket,
    id: newId(bucket, now.getTime()),
    authorId: caller.id,
    ownerId: caller.ownerId,
    stance: body.stance ?? null,
    content: body.content,
    now,
  };
  const on = { articleId: params.id, parentId: body.parent_comment_id ?? null };
  const [target, writer] = await Promise.all([
    insertComment(tx, comment, on),
    insertOwn(tx, caller, comment.id),
  ]);
  requireReadable(problem, target && subjectOf(target), caller);
  if (target === undefined) throw problem('not-found', 'No article has this id.');
  requireCommented(problem, target);
  requireWriter(problem, writer);
  charge('comments.create');
  commentWritten(tx, comment, target);
  return {
    status: 201,
    location: `/v1/comments/${comment.id}`,
    body: newCommentView(comment, target, writer),
  };
});
