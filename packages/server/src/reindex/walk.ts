// Walks of the sources of derived rows, bucket by bucket, along their primary keys.
import { justFirst, sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';

interface Found {
  readonly id: string;
}

/** Returns the bucket from which a walk continues; -1 at its beginning. */
export function bucketAfter(after: string): number {
  return after === '' ? -1 : bucketOf(after);
}

/** Returns ids of all articles that were ever published, whatever their status. */
export async function listArticlesAfter(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: an operator's command goes through all of them, in their order
    select id
    from articles
    where (bucket, id) > (${bucketAfter(after)}, ${after})
      and published_revision_id is not null
    order by bucket, id
    ${justFirst(limit)}`);
  return rows.map((row) => row.id);
}

export async function countArticles(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an operator's command goes through all of them
    select count(*) as count
    from articles
    where published_revision_id is not null`);
  return row?.count ?? 0;
}

/** Returns ids of all comments, whatever their status. */
export async function listCommentsAfter(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: an operator's command goes through all of them, in their order
    select id
    from comments
    where (bucket, id) > (${bucketAfter(after)}, ${after})
    order by bucket, id
    ${justFirst(limit)}`);
  return rows.map((row) => row.id);
}

export async function countComments(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an operator's command goes through all of them
    select count(*) as count
    from comments`);
  return row?.count ?? 0;
}

/** Returns ids of all principals, whatever their status. */
export async function listPrincipalsAfter(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<Found>`
    -- every bucket: an operator's command goes through all of them, in their order
    select id
    from principals
    where (bucket, id) > (${bucketAfter(after)}, ${after})
    order by bucket, id
    ${justFirst(limit)}`);
  return rows.map((row) => row.id);
}

export async function countPrincipals(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an operator's command goes through all of them
    select count(*) as count
    from principals`);
  return row?.count ?? 0;
}
