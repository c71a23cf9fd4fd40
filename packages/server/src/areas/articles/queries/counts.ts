// Statements on the counts of articles: each change is its own row, added up later.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { newId } from '#lib/id';
import type { RowKey } from '#lib/id';

/** The differences by which counts change. */
export interface CountChange {
  readonly comments?: number;
  readonly edgesIn?: number;
  readonly edgesOut?: number;
}

/**
 * The caller does not await it: it writes only a row of its own, so no concurrent transaction can interfere.
 */
export function insertDelta(tx: Tx, key: RowKey, change: CountChange, now: Date): void {
  void tx.run(sql`
    insert into article_count_deltas (bucket, article_id, id, comments, edges_in, edges_out)
    values (
      ${key.bucket}, ${key.id}, ${newId(key.bucket, now.getTime())},
      ${change.comments ?? 0}, ${change.edgesIn ?? 0}, ${change.edgesOut ?? 0}
    )`);
}

export const foldedAtOnce = 1_000;

/**
 * Adds up to `foldedAtOnce` changes to the article's counts and returns how many. One statement deletes the
 * changes and adds them, so a crash undoes both. Concurrent calls wait for the lock on the article's row, and
 * no change is deleted twice.
 */
export async function setCountsFolded(tx: Tx, key: RowKey): Promise<number> {
  const row = await tx.first(sql<{ folded: number }>`
    with article as materialized (
      select id
      from articles
      where bucket = ${key.bucket} and id = ${key.id}
      for no key update
    ), oldest as materialized (
      select d.article_id, d.id
      from article
      join article_count_deltas d on d.bucket = ${key.bucket} and d.article_id = article.id
      order by d.id
      limit ${foldedAtOnce}
    ), folded as (
      delete from article_count_deltas
      using oldest
      where article_count_deltas.bucket = ${key.bucket}
        and article_count_deltas.article_id = oldest.article_id
        and article_count_deltas.id = oldest.id
      returning comments, edges_in, edges_out
    ), total as (
      select
        count(comments)::integer as folded,
        coalesce(sum(comments), 0)::integer as comments,
        coalesce(sum(edges_in), 0)::integer as edges_in,
        coalesce(sum(edges_out), 0)::integer as edges_out
      from folded
    )
    update articles
    set comments_count = comments_count + total.comments,
      edges_in_count = edges_in_count + total.edges_in,
      edges_out_count = edges_out_count + total.edges_out
    from total
    where articles.bucket = ${key.bucket} and articles.id = ${key.id} and total.folded > 0
    returning total.folded`);
  return row?.folded ?? 0;
}

/** Lists articles with changes to add up, ordered by bucket and id, after the given one. */
export function listUnfolded(db: Db, after: RowKey, limit: number): Promise<readonly RowKey[]> {
  return db.rows(sql<RowKey>`
    -- every bucket: recurring work in the background
    select bucket, article_id as id
    from article_count_deltas
    where (bucket, article_id) > (${after.bucket}::smallint, ${after.id})
    group by bucket, article_id
    order by bucket, article_id
    limit ${limit}`);
}
