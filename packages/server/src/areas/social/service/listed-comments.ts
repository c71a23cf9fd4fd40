// Comments for derived lists and pages.
import type { Db } from '#database';
import { keyOf } from '#lib/id';
import { findAuthors, listNewest, listVisibleOf } from '../queries/index.ts';
import { commentView } from '../views/comments.ts';

/** Returns the newest public comments of an article that everyone may read by its address. */
export async function newestComments(db: Db, articleId: string, limit: number) {
  const rows = await listNewest(db, keyOf(articleId), limit);
  const authors = await findAuthors(db, rows);
  return rows.map((row) => commentView(row, authors.get(row.author_id), null));
}

/**
 * Returns the public form of these comments, in the order of the ids. Comments that are not visible on a
 * listed article now are omitted, whatever a derived row says.
 */
export async function listedComments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listVisibleOf(db, ids);
  const authors = await findAuthors(db, rows);
  const byId = new Map(
    rows.map((row) => [row.id, commentView(row, authors.get(row.author_id), null)]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
