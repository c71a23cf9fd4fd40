// GET /v1/comments: the caller's own comments across articles, newest first.
import { operations } from '@colophon/contract';
import { implement, limitOf } from '#http';
import { findAuthors, listByIds, listOwnIds } from '../queries/index.ts';
import { commentView } from '../views/comments.ts';

export const listOwnComments = implement(operations.listOwnComments)(async (
  { db, caller },
  { query },
) => {
  const limit = limitOf(query);
  const ids = await listOwnIds(db, caller, { before: query.cursor, limit });
  const shown = ids.slice(0, limit);
  const [rows, authors] = await Promise.all([
    listByIds(db, shown),
    findAuthors(db, [{ author_id: caller.id }]),
  ]);
  return {
    status: 200,
    body: {
      items: rows.map((row) => commentView(row, authors.get(row.author_id), caller, true)),
      next_cursor: ids.length > limit ? (shown.at(-1) ?? null) : null,
    },
  };
});
