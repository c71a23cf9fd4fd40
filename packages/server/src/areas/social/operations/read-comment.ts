// GET /v1/comments/{id}: one comment; 410 for a deleted one.
import { operations } from '@colophon/contract';
import { auditedRead, isKnown, requireReadable } from '#articles';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findAuthor, findComment } from '../queries/index.ts';
import {
  auditedComment,
  requireExisting,
  requireLiveComment,
  requireReadScope,
  requireKnownComment,
  subjectOf,
  withoutHiding,
} from '../rules/comments.ts';
import { commentView, withSpotlight } from '../views/comments.ts';

export const readComment = implement(operations.readComment)(async (
  { db, caller, problem, spotlight },
  { params, query },
) => {
  const row = await findComment(db, keyOf(params.id));
  requireExisting(problem, row);
  const article = subjectOf(row);
  requireKnownComment(problem, row, { caller, knowsArticle: isKnown(article, caller) });
  requireReadable(problem, article, caller);
  requireLiveComment(problem, withoutHiding(row));
  requireReadScope(row, caller);
  const author = await findAuthor(db, keyOf(row.author_id));
  const comment = commentView(row, author, caller, true);
  const [body = comment] = await withSpotlight(query.view, [comment], spotlight);
  return {
    status: 200,
    body,
    ...auditedComment(row, caller),
    ...auditedRead(caller, [{ ...article, id: row.article_id }]),
    shared:
      query.view === undefined && article.status === 'published' && article.visibility === 'public',
  };
});
