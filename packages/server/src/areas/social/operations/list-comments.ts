// GET /v1/articles/{id}/comments: the thread as a flat list, oldest first.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import { auditedRead, requireReadable } from '#articles';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import { principalNamed } from '#identity';
import { isId, keyOf } from '#lib/id';
import { findArticle, findAuthors, listComments as listThread } from '../queries/index.ts';
import { subjectOf } from '../rules/comments.ts';
import { commentView, withSpotlight } from '../views/comments.ts';

type Query = QueryOf<typeof operations.listComments>;

/** Returns the id of the requested author; null when no principal has this name. */
async function authorOf(db: Db, { author }: Query): Promise<string | null | undefined> {
  if (author === undefined || isId(author)) return author;
  return (await principalNamed(db, author)) ?? null;
}

export const listComments = implement(operations.listComments)(async (
  { db, caller, problem, spotlight },
  { params, query },
) => {
  const key = keyOf(params.id);
  const limit = limitOf(query);
  const authorId = await authorOf(db, query);
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
