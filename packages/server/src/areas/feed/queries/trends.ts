// Statements on article_trends and article_supporters: the components of an article's score.
import { sql, byId, named } from '#database';
import type { Tx } from '#database';
import type { Followed, Support } from './support.ts';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

export interface Trend {
  /** null: the row was just inserted and has not been counted yet. */
  readonly points: number | null;
  readonly published_at: string | null;
}

/** The columns of a listed article that determine its trend. */
export interface Standing {
  readonly author_id: string;
  /** The owner of the author: of an agent its owner, otherwise the author. */
  readonly owner_id: string;
  readonly published_at: string;
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
    from ${named(keys)}
    order by named.bucket, named.id
    on conflict on constraint article_trends_article_id_pkey
    do update set points = article_trends.points
    returning article_id as id, points, published_at`);
  return byId(rows);
}

/** Returns the standing of those of the articles that are listed now. */
export async function findStandings(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await tx.rows(sql<Standing & { readonly id: string }>`
    select a.id, a.author_id, coalesce(p.owner_principal_id, a.author_id) as owner_id, a.published_at,
      c.metadata::text as metadata
    from ${named(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed`);
  return byId(rows);
}

/** Returns undefined if the article is not listed now. */
export async function findStanding(tx: Tx, key: RowKey): Promise<Standing | undefined> {
  return (await findStandings(tx, [key])).get(key.id);
}

export interface FollowedArticle extends RowKey {
  readonly followed: Followed;
}

/** Returns the articles that may have support: the others need not be counted. */
export async function listSupported(
  tx: Tx,
  articles: readonly FollowedArticle[],
): Promise<ReadonlySet<string>> {
  const followed = articles.map((article) => article.followed);
  const rows = await tx.rows(sql<{ id: string }>`
    select given.id
    from unnest(
      ${articles.map(({ bucket }) => bucket)}::smallint[], ${articles.map(({ id }) => id)}::text[],
      ${followed.map(({ authorId }) => authorId)}::text[],
      ${followed.map(({ earliestId }) => earliestId)}::text[]
    ) as given (bucket, id, author_id, earliest_id)
    where exists (
        select
        from comments c
        where c.bucket = given.bucket and c.article_id = given.id
      )
      or exists (
        select
        from incoming_edges e
        where e.bucket = given.bucket and e.dst_key = given.id
      )
      or exists (
        select
        from article_supporters s
        where s.bucket = given.bucket and s.article_id = given.id
      )
      or exists (
        -- An author's row is in the bucket of their articles.
        select
        from followers f
        where f.bucket = given.bucket
          and f.followee_id = given.author_id
          and f.follow_id >= given.earliest_id
      )`);
  return new Set(rows.map(({ id }) => id));
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
  return tx.run(sql`
    with supporters as (
      delete from article_supporters s
      using ${named(keys)}
      where s.bucket = named.bucket
        and s.article_id = named.id
    )
    delete from article_trends t
    using ${named(keys)}
    where t.bucket = named.bucket
      and t.article_id = named.id`);
}

/** Replaces all supporters of the article by `support`. */
export function setSupporters(
  tx: Tx,
  { bucket, id }: RowKey,
  support: readonly Support[],
): Promise<number> {
  const given = sql`
    unnest(${support.map(({ kind }) => kind)}::text[], ${support.map((one) => one.owner_id)}::text[])
      as given (kind, owner_id)`;
  return tx.run(sql`
    with gone as (
      delete from article_supporters
      where bucket = ${bucket}
        and article_id = ${id}
        and (kind, owner_id) not in (select given.kind, given.owner_id from ${given})
    )
    insert into article_supporters (bucket, article_id, kind, owner_id)
    select ${bucket}::smallint, ${id}, given.kind, given.owner_id
    from ${given}
    order by given.kind, given.owner_id
    on conflict on constraint article_supporters_owner_id_pkey
    do nothing`);
}

export async function existsSupporter(
  tx: Tx,
  { bucket, id }: RowKey,
  { kind, owner_id }: Support,
): Promise<boolean> {
  const row = await tx.first(sql<{ owner_id: string }>`
    select owner_id
    from article_supporters
    where bucket = ${bucket}
      and article_id = ${id}
      and kind = ${kind}
      and owner_id = ${owner_id}`);
  return row !== undefined;
}

export function insertSupporter(tx: Tx, { bucket, id }: RowKey, one: Support): Promise<number> {
  return tx.run(sql`
    insert into article_supporters (bucket, article_id, kind, owner_id)
    values (${bucket}, ${id}, ${one.kind}, ${one.owner_id})`);
}

export function deleteSupporter(tx: Tx, { bucket, id }: RowKey, one: Support): Promise<number> {
  return tx.run(sql`
    delete from article_supporters
    where bucket = ${bucket}
      and article_id = ${id}
      and kind = ${one.kind}
      and owner_id = ${one.owner_id}`);
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
