// POST /v1/comments/{id}/replies: creates a reply to a comment.
import { operations } from '@colophon/contract';
import { isKnown, requireReadable } from '#articles';
import { implement } from '#http';
import { commentWritten } from '../outbox/comments.ts';
import { insertIntoOwnList, insertReply } from '../queries/index.ts';
import {
  parentOf,
  requireExisting,
  requireReplied,
  requireKnownComment,
  requireWriter,
  subjectOf,
} from '../rules/comments.ts';
import { newComment } from '../service/new-comment.ts';
import { newCommentView } from '../views/comments.ts';

export const createReply = implement(operations.createReply)(async (
  { tx, caller, problem, now, charge },
  { params, body },
) => {
  const comment = newComment(params.id, body, caller, now);
  const [target, writer] = await Promise.all([
    insertReply(tx, comment, params.id),
    insertIntoOwnList(tx, caller, comment.id),
  ]);
  requireExisting(problem, target);
  const parent = parentOf(target);
  requireExisting(problem, parent);
  const article = subjectOf(target);
  requireKnownComment(problem, parent, { caller, knowsArticle: isKnown(article, caller) });
  requireReadable(problem, article, caller);
  requireReplied(problem, target, parent);
  requireWriter(problem, writer);
  charge('comments.create');
  commentWritten(tx, comment, target);
  return {
    status: 201,
    location: `/v1/comments/${comment.id}`,
    body: newCommentView(comment, target, writer),
  };
});
