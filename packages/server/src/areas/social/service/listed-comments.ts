// Comments as derived lists and pages show them.
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import { findAuthors, listNewest, listVisibleOf } from '../queries/index.ts';
import { commentView } from '../views/comments.ts';

/** The newest comments of an article as everybody sees them, who may read it by its address. */
export async function newestComments(db: Db, articleId: string, limit: number) {
  const rows = await listNewest(db, { bucket: bucketOf(articleId), id: articleId }, limit);
  const authors = await findAuthors(db, rows);
  return rows.map((row) => commentView(row, authors.get(row.author_id), null));
}

/**
 * The comments of these ids as everybody sees them, in the order of the ids. Those that are not visible on
 * a listed article at this moment are left out, whatever a derived table still says.
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
