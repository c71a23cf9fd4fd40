// Statements that read topics: pages of them, one of them, and those to rebuild.
import { atMost, whenGiven, justFirst, orOverServers, sql } from '#database';
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
      -- on one server: the first article of each topic
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
  const page = sql`page as (
      select slug, article_count, last_published_at
      from topics
      ${sql.where([after])}
      order by ${column} desc, slug desc
      ${atMost(limit + 1)}
    )`;
  const one = sql<TopicRow>`
    -- every bucket: topics live anywhere
    with ${page}
    select page.slug, page.article_count, page.last_published_at, named.name
    from page
    ${nameJoin}
    order by page.${column} desc, page.slug desc`;
  const overServers = () => sql<TopicRow>`
    -- every bucket: topics live anywhere
    with ${page}, named as materialized (
      select distinct on (n.topic) n.topic, n.name
      from article_topics n
      join articles a on a.bucket = n.bucket and a.id = n.article_id
      where n.topic in (select slug from page)
        and a.listed
      order by n.topic, n.published_at, n.article_id
    )
    select page.slug, page.article_count, page.last_published_at, named.name
    from page
    left join named on named.topic = page.slug
    order by page.${column} desc, page.slug desc`;
  return db.rows(orOverServers(one, overServers));
}

export function listActiveTopics(
  db: Db,
  after: ActivePosition | undefined,
  limit: number,
): Promise<readonly TopicRow[]> {
  const column = sql`last_published_at`;
  const later = whenGiven(
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
  const smaller = whenGiven(
    after,
    (place) => sql`(article_count, slug) < (${place.article_count}, ${place.slug})`,
  );
  return listBy(db, column, smaller, limit);
}

export function findTopic(db: Db, { bucket, slug }: TopicKey): Promise<TopicRow | undefined> {
  return db.first(sql<TopicRow>`
    -- every bucket: the articles of a topic live anywhere
    select page.slug, page.article_count, page.last_published_at,
      (
        select n.name
        from article_topics n
        join articles a on a.bucket = n.bucket and a.id = n.article_id
        where n.topic = ${slug}
          and a.listed
        order by n.published_at, n.article_id
        limit 1
      ) as name
    from topics page
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
  const one = sql<{ slug: string }>`
    -- every bucket: an operator's command goes through all of them
    -- on one server: looks for the first article of each topic
    select t.slug
    from topics t
    where t.slug > ${after}
      and not exists (
        select 1 from article_topics a
        where a.topic = t.slug
      )
    order by t.slug
    ${justFirst(limit)}`;
  const overServers = () => sql<{ slug: string }>`
    -- every bucket: an operator's command goes through all of them
    with used as materialized (
      select distinct topic
      from article_topics
      where topic > ${after}
    )
    select t.slug
    from topics t
    where t.slug > ${after}
      and t.slug not in (select topic from used)
    order by t.slug
    ${justFirst(limit)}`;
  const rows = await db.rows(orOverServers(one, overServers));
  return rows.map((row) => row.slug);
}

export async function countTopics(db: Db): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: an operator's command goes through all of them
    select count(*)::integer as count
    from topics`);
  return row?.count ?? 0;
}
