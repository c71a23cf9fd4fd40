// Statements that read topics: pages of them, one of them, and those to rebuild.
import { atMost, given, justFirst, sql } from '#database';
import type { Condition, Db, Statement } from '#database';
import type { TopicKey } from './topics.ts';

export interface ActivePosition {
  readonly last_published_at: string;
  readonly slug: string;
}

export interface SizePosition {
  readonly article_count: number;
  readonly slug: string;
}

export interface TopicRow {
  readonly slug: string;
  readonly article_count: number;
  readonly last_published_at: string;
  /** The spelling in the oldest article that is listed now; null if none is listed. */
  readonly name: string | null;
}

/** Read when the topic is shown: the name from a removed article is never shown. */
const nameJoin = sql`left join lateral (
      select n.name
      from article_topics n
      join articles a on a.bucket = n.bucket and a.id = n.article_id
      where n.topic = page.slug
        and a.listed
      order by n.published_at, n.article_id
      limit 1
    ) as named on true`;

/** Returns a page of topics in the descending order of a column. */
function listBy(
  db: Db,
  column: Statement,
  after: Condition,
  limit: number,
): Promise<readonly TopicRow[]> {
  return db.rows(sql<TopicRow>`
    -- every bucket: topics live anywhere
    with page as (
      select slug, article_count, last_published_at
      from topics
      ${sql.where([after])}
      order by ${column} desc, slug desc
      ${atMost(limit + 1)}
    )
    select page.slug, page.article_count, page.last_published_at, named.name
    from page
    ${nameJoin}
    order by page.${column} desc, page.slug desc`);
}

export function listActiveTopics(
  db: Db,
  after: ActivePosition | undefined,
  limit: number,
): Promise<readonly TopicRow[]> {
  const column = sql`last_published_at`;
  const later = given(
    after,
    (place) => sql`(last_published_at, slug) < (${place.last_published_at}, ${place.slug})`,
  );
  return listBy(db, column, later, limit);
}

export function listLargeTopics(
  db: Db,
  after: SizePosition | undefined,
  limit: number,
): Promise<readonly TopicRow[]> {
  const column = sql`article_count`;
  const smaller = given(
    after,
    (place) => sql`(article_count, slug) < (${place.article_count}, ${place.slug})`,
  );
  return listBy(db, column, smaller, limit);
}

export function findTopic(db: Db, { bucket, slug }: TopicKey): Promise<TopicRow | undefined> {
  return db.first(sql<TopicRow>`
    -- every bucket: the articles of a topic live anywhere
    select page.slug, page.article_count, page.last_published_at, named.name
    from topics page
    ${nameJoin}
    where page.bucket = ${bucket}
      and page.slug = ${slug}`);
}

/** Returns the slugs of the topics that articles have, in order. */
export async function listTopicsAfter(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ slug: string }>`
    -- every bucket: an operator's command goes through all of them
    select distinct topic as slug
    from article_topics
    where topic > ${after}
    order by slug
    ${justFirst(limit)}`);
  return rows.map((row) => row.slug);
}

/** Returns the slugs of topics without articles. */
export async function listStaleTopics(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ slug: string }>`
    -- every bucket: an operator's command goes through all of them
    select t.slug
    from topics t
    where t.slug > ${after}
      and not exists (
        select from article_topics a
        where a.topic = t.slug
      )
    order by t.slug
    ${justFirst(limit)}`);
  return rows.map((row) => row.slug);
}

export async function countTopics(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an operator's command goes through all of them
    select count(*)::integer as count
    from topics`);
  return row?.count ?? 0;
}
