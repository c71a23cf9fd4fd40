// Walks of rows that have a bucket and an id, bucket by bucket, along their primary keys.
import { justFirst, sql } from '#database';
import type { Db, Statement } from '#database';
import { bucketOf } from '#lib/id';
import type { Walk } from './rebuilding.ts';

/** The rows of a walk. */
export interface Source {
  /** A table with the alias `s`, and what is joined to it. */
  readonly from: Statement;
  /** The column of `s` that follows the bucket in its primary key. */
  readonly id: Statement;
  readonly only?: Statement;
}

/** Returns the walk of the ids of a source. */
export function walkOf({ from, id, only }: Source): Walk {
  return async (db, after, limit) => {
    const bucket = after === '' ? -1 : bucketOf(after);
    const rows = await db.rows(sql<{ id: string }>`
      -- every bucket: a rebuild goes through all of them, in their order
      select ${id} as id
      from ${from}
      ${sql.where([sql`(s.bucket, ${id}) > (${bucket}, ${after})`, only])}
      order by s.bucket, ${id}
      ${justFirst(limit)}`);
    return rows.map((row) => row.id);
  };
}

function countOf({ from, only }: Source): (db: Db) => Promise<number> {
  return async (db) => {
    const row = await db.first(sql<{ count: number }>`
      -- every bucket: a rebuild goes through all of them
      select count(*) as count
      from ${from}
      ${sql.where([only])}`);
    return row?.count ?? 0;
  };
}

/** All articles that were ever published, whatever their status. */
const articles = {
  from: sql`articles s`,
  id: sql`s.id`,
  only: sql`s.published_revision_id is not null`,
};
const comments = { from: sql`comments s`, id: sql`s.id` };
const principals = { from: sql`principals s`, id: sql`s.id` };

export const listArticlesAfter = walkOf(articles);
export const countArticles = countOf(articles);
export const listCommentsAfter = walkOf(comments);
export const countComments = countOf(comments);
export const listPrincipalsAfter = walkOf(principals);
export const countPrincipals = countOf(principals);
