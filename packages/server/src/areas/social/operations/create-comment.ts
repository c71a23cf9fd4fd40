// POST /v1/articles/{id}/comments: creates a comment, or a reply when the body names a parent.
import { operations } from '@colophon/contract';
import { isKnown, requireReadable } from '#articles';
import type { Tx } from '#database';
import { implement } from '#http';
import type { Caller } from '#http';
import { keyOf } from '#lib/id';
import { commentWritten } from '../outbox/comments.ts';
import { findComment, insertComment, insertIntoOwnList } from '../queries/index.ts';
import {
  isKnownComment,
  lacksParent,
  requireCommented,
  requireWriter,
  subjectOf,
} from '../rules/comments.ts';
import { newComment } from '../service/new-comment.ts';
import { newCommentView } from '../views/comments.ts';

/** Returns whether a comment that the caller may know has this id, on any article. */
async function existsForCaller(tx: Tx, id: string | null, caller: Caller): Promise<boolean> {
  if (id === null) return false;
  const comment = await findComment(tx, keyOf(id));
  if (comment === undefined) return false;
  return isKnownComment(comment, { caller, knowsArticle: isKnown(subjectOf(comment), caller) });
}

export const createComment = implement(operations.createComment)(async (
  { tx, caller, problem, now, charge },
  { params, body },
) => {
  const comment = newComment(params.id, body, caller, now);
  const on = { articleId: params.id, parentId: body.parent_comment_id ?? null };
  const [target, writer] = await Promise.all([
    insertComment(tx, comment, on),
    insertIntoOwnList(tx, caller, comment.id),
  ]);
  requireReadable(problem, target && subjectOf(target), caller);
  if (target === undefined) throw problem('not-found', 'No article has this id.');
  const isElsewhere = lacksParent(target) && (await existsForCaller(tx, on.parentId, caller));
  requireCommented(problem, target, { caller, isElsewhere });
  requireWriter(problem, writer);
  charge('comments.create');
  commentWritten(tx, comment, target);
  return {
    status: 201,
    location: `/v1/comments/${comment.id}`,
    body: newCommentView(comment, target, writer),
  };
});
