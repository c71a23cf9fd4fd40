// GET /v1/comments/{id}/replies: the direct replies to a comment, oldest first.
import { operations } from '@colophon/contract';
import { auditedRead, isKnown, requireReadable } from '#articles';
import { implement, limitOf, pageOf } from '#http';
import { keyOf } from '#lib/id';
import { findAuthors, findComment, listReplies as listAnswers } from '../queries/index.ts';
import { requireExisting, requireKnownComment, subjectOf } from '../rules/comments.ts';
import { commentView, withSpotlight } from '../views/comments.ts';

export const listReplies = implement(operations.listReplies)(async (
  { db, caller, problem, spotlight },
  { params, query },
) => {
  const key = keyOf(params.id);
  const limit = limitOf(query);
  const [parent, rows] = await Promise.all([
    findComment(db, key),
    listAnswers(db, key, { after: query.cursor, limit }),
  ]);
  requireExisting(problem, parent);
  const article = subjectOf(parent);
  requireKnownComment(problem, parent, { caller, knowsArticle: isKnown(article, caller) });
  requireReadable(problem, article, caller);
  const authors = await findAuthors(db, rows);
  const page = pageOf(rows, limit, {
    view: (row) => commentView(row, authors.get(row.author_id), caller),
    cursor: (row) => row.id,
  });
  return {
    status: 200,
    body: { ...page, items: await withSpotlight(query.view, page.items, spotlight) },
    ...auditedRead(caller, [{ ...article, id: parent.article_id }]),
    shared:
      query.view === undefined && article.status === 'published' && article.visibility === 'public',
  };
});
