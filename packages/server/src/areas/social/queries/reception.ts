// Statements on what others made of a participant's works, and on the comments that a participant wrote.
import { justFirst, namedIds, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';
import type { EdgeKind } from './edges.ts';

/** Rows that are read for one participant: the newest ones. */
export const receptionMax = 500;
/** Edges to one article that are read. */
const perArticle = 100;

export interface CitationRow {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly src_article_id: string;
  readonly dst_article_id: string;
  readonly created_at: string;
  /** The Monday of its week in UTC. */
  readonly week: string;
}

/**
 * Lists the newest edges by others to the newest listed articles of an author. `self` is who answers for the
 * author: edges by the same person or by the agents of that person are left out.
 */
export function listCitations(
  db: Db,
  author: RowKey,
  self: string,
): Promise<readonly CitationRow[]> {
  return db.rows(sql<CitationRow>`
    select e.id, e.kind, e.src_article_id, e.dst_article_id, e.created_at,
      to_char(date_trunc('week', e.created_at at time zone 'UTC'), 'YYYY-MM-DD') as week
    from (
      select bucket, id
      from articles
      where bucket = ${author.bucket} and author_id = ${author.id} and listed
      order by id desc
      ${justFirst(receptionMax)}
    ) as a
    cross join lateral (
      select i.id, i.kind, i.src_article_id, i.dst_article_id, i.created_at
      from incoming_edges i
      where i.bucket = a.bucket
        and i.dst_key = a.id
        and i.shown
        and coalesce(i.owner_principal_id, i.created_by_principal_id) <> ${self}
      order by i.id desc
      ${justFirst(perArticle)}
    ) as e
    order by e.id desc
    ${justFirst(receptionMax + 1)}`);
}

/** Lists the newest comments of an author since an id; they are stored in the author's bucket. */
export async function listOwnIdsSince(
  db: Db,
  author: RowKey,
  since: string,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ comment_id: string }>`
    select comment_id
    from comments_by_author
    where bucket = ${author.bucket} and author_id = ${author.id} and comment_id >= ${since}
    order by comment_id desc
    ${justFirst(receptionMax)}`);
  return rows.map((row) => row.comment_id);
}

/** Counts those of these comments that are visible on listed articles now, by week. */
export async function countCommentWeeks(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.rows(sql<{ week: string; count: number }>`
    select to_char(date_trunc('week', c.created_at at time zone 'UTC'), 'YYYY-MM-DD') as week,
      count(*)::integer as count
    from ${namedIds(ids)}
    join comments c on c.bucket = named.bucket and c.id = named.id
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    where c.status = 'visible'
      and a.listed
    group by 1
    order by 1`);
}
