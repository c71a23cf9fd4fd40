// Statements on article_trends: the components of an article’s score.
import { sql, byId, keysTable } from '#database';
import type { Tx } from '#database';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

export interface Trend {
  /** null: the row was just inserted and has not been counted yet. */
  readonly points: number | null;
  readonly published_at: string | null;
}

/** The columns of a listed article that determine its trend. */
export interface ScoredArticle {
  readonly author_id: string;
  /** The owner of the author: of an agent its owner, otherwise the author. */
  readonly owner_id: string;
  readonly published_at: string;
}

/** The same, with the metadata that contain its topics. */
export interface ListedArticle extends ScoredArticle {
  /** JSON text. */
  readonly metadata: string;
}

/**
 * Inserts the article's row, or locks it if it exists, until the transaction ends. Other subscribers that
 * count for the same article wait here; requests never do.
 */
export function lockTrend(tx: Tx, { bucket, id }: RowKey): Promise<Trend | undefined> {
  return tx.first(sql<Trend>`
    insert into article_trends (bucket, article_id)
    values (${bucket}, ${id})
    on conflict on constraint article_trends_article_id_pkey
    do update set points = article_trends.points
    returning points, published_at`);
}

/** The same for several articles, in the order of their keys, so that two transactions cannot deadlock. */
export async function lockTrends(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, Trend>> {
  const rows = await tx.rows(sql<Trend & { readonly id: string }>`
    insert into article_trends (bucket, article_id)
    select named.bucket, named.id
    from ${keysTable(keys)}
    order by named.bucket, named.id
    on conflict on constraint article_trends_article_id_pkey
    do update set points = article_trends.points
    returning article_id as id, points, published_at`);
  return byId(rows);
}

/** Returns the article of those of the articles that are listed now. */
export async function findListedArticles(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, ListedArticle>> {
  const rows = await tx.rows(sql<ListedArticle & { readonly id: string }>`
    select a.id, a.author_id, coalesce(p.owner_principal_id, a.author_id) as owner_id, a.published_at,
      c.metadata::text as metadata
    from ${keysTable(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    cross join lateral (
      select bucket, held_hash
      from revisions
      where bucket = a.bucket and article_id = a.id and id = a.published_revision_id
      limit 1
    ) as r
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed`);
  return byId(rows);
}

/** Returns those of the articles that are listed now, without their metadata. */
export async function findScoredArticles(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, ScoredArticle>> {
  const rows = await tx.rows(sql<ScoredArticle & { readonly id: string }>`
    select a.id, a.author_id, coalesce(p.owner_principal_id, a.author_id) as owner_id, a.published_at
    from ${keysTable(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    where a.listed`);
  return byId(rows);
}

/** Returns undefined if the article is not listed now. */
export async function findScoredArticle(tx: Tx, key: RowKey): Promise<ScoredArticle | undefined> {
  return (await findScoredArticles(tx, [key])).get(key.id);
}

export interface NewTrend {
  readonly points: number;
  readonly score: number;
  readonly published_at: string;
}

export function setTrend(tx: Tx, { bucket, id }: RowKey, trend: NewTrend): Promise<number> {
  return tx.run(sql`
    update article_trends
    set points = ${trend.points}, score = ${trend.score}, published_at = ${trend.published_at}
    where bucket = ${bucket}
      and article_id = ${id}`);
}

/** The rows must be locked. */
export function setTrends(tx: Tx, trends: readonly (RowKey & NewTrend)[]): Promise<number> {
  return tx.run(sql`
    update article_trends t
    set points = given.points, score = given.score, published_at = given.published_at
    from unnest(
      ${trends.map(({ bucket }) => bucket)}::smallint[], ${trends.map(({ id }) => id)}::text[],
      ${trends.map(({ points }) => points)}::integer[],
      ${trends.map(({ score }) => score)}::double precision[],
      ${trends.map((trend) => trend.published_at)}::timestamptz[]
    ) as given (bucket, id, points, score, published_at)
    where t.bucket = given.bucket
      and t.article_id = given.id`);
}

/** Deletes the rows of articles that trend no more; their supporters are counted again if they return. */
export function deleteTrends(tx: Tx, keys: readonly RowKey[]): Promise<number> {
  void tx.run(sql`
    delete from article_supporters s
    using ${keysTable(keys)}
    where s.bucket = named.bucket
      and s.article_id = named.id`);
  return tx.run(sql`
    delete from article_trends t
    using ${keysTable(keys)}
    where t.bucket = named.bucket
      and t.article_id = named.id`);
}

/** The articles that have rows of the feed and are not listed. */
export const listStaleTrends = walkOf({
  from: sql`(
        select bucket, article_id
        from article_trends
        union
        select bucket, article_id
        from article_supporters
        union
        select bucket, article_id
        from article_topics
      ) as s
      left join articles a on a.bucket = s.bucket and a.id = s.article_id`,
  id: sql`s.article_id`,
  only: sql`a.listed is not true`,
});
