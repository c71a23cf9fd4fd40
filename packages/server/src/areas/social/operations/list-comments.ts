// GET /v1/articles/{id}/comments: the thread as a flat list, oldest first.
import { operations } from '@colophon/contract';
import { auditedRead, requireReadable } from '#articles';
import { implement, limitOf, pageOf } from '#http';
import { authorNamed } from '#identity';
import { keyOf } from '#lib/id';
import { findArticle, findAuthors, listComments as listThread } from '../queries/index.ts';
import { subjectOf } from '../rules/comments.ts';
import { commentView, withSpotlight } from '../views/comments.ts';

export const listComments = implement(operations.listComments)(async (
  { db, caller, problem, spotlight },
  { params, query },
) => {
  const key = keyOf(params.id);
  const limit = limitOf(query);
  const authorId = await authorNamed(db, query.author);
  const { stance, root } = query;
  const [article, rows] = await Promise.all([
    findArticle(db, key),
    authorId === null
      ? []
      : listThread(db, key, { stance, root, authorId }, { after: query.cursor, limit }),
  ]);
  const subject = article && subjectOf(article);
  requireReadable(problem, subject, caller);
  const authors = await findAuthors(db, rows);
  const page = pageOf(rows, limit, {
    view: (row) => commentView(row, authors.get(row.author_id), caller),
    cursor: (row) => row.id,
  });
  return {
    status: 200,
    body: { ...page, items: await withSpotlight(query.view, page.items, spotlight) },
    ...auditedRead(caller, [{ ...subject, id: params.id }]),
    shared:
      query.view === undefined && subject.status === 'published' && subject.visibility === 'public',
  };
});
