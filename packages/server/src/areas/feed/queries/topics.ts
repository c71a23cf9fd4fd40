// Statements that write article_topics and topics.
import { keysTable, orOverServers, sql } from '#database';
import type { Statement, Tx } from '#database';
import type { NamedTopic } from '#lib/slug';
import type { RowKey } from '#lib/id';

/** A stored topic of an article. */
export interface KeptTopic extends NamedTopic {
  readonly published_at: string;
}

/** The key of a topic; its row belongs to the bucket of the hash of its slug. */
export interface TopicKey {
  readonly bucket: number;
  readonly slug: string;
}

export interface TopicCount extends TopicKey {
  /** The change of the number of articles: 1, -1, or 0 if only its name or date changed. */
  readonly delta: number;
}

/** Returns the stored topics by article id. */
export async function findKeptTopics(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, readonly KeptTopic[]>> {
  const rows = await tx.rows(sql<KeptTopic & { readonly id: string }>`
    select t.article_id as id, t.topic as slug, t.name, t.published_at
    from ${keysTable(keys)}
    join article_topics t on t.bucket = named.bucket and t.article_id = named.id
    order by t.article_id, t.topic`);
  return Map.groupBy(rows, ({ id }) => id);
}

export interface ArticleTopics extends RowKey {
  readonly topics: readonly KeptTopic[];
}

/** Sets the topics of each article; an empty list deletes all. The rows in `topics` must be locked. */
export function setTopics(tx: Tx, articles: readonly ArticleTopics[]): Promise<number> {
  const rows = articles.flatMap(({ bucket, id, topics }) =>
    topics.map((topic) => ({ bucket, id, ...topic })),
  );
  const topics = sql`unnest(
      ${rows.map(({ bucket }) => bucket)}::smallint[], ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ slug }) => slug)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map((row) => row.published_at)}::timestamptz[]
    ) as given (bucket, id, slug, name, published_at)`;
  return tx.run(sql`
    with gone as (
      delete from article_topics t
      using ${keysTable(articles)}
      where t.bucket = named.bucket
        and t.article_id = named.id
        and (t.article_id, t.topic) not in (select given.id, given.slug from ${topics})
    )
    insert into article_topics (bucket, article_id, topic, name, published_at)
    select given.bucket, given.id, given.slug, given.name, given.published_at
    from ${topics}
    order by given.bucket, given.id, given.slug
    on conflict on constraint article_topics_topic_pkey
    do update set name = excluded.name, published_at = excluded.published_at`);
}

function columnsOf(counts: readonly TopicCount[]): Statement {
  return sql`unnest(
      ${counts.map(({ bucket }) => bucket)}::smallint[], ${counts.map(({ slug }) => slug)}::text[],
      ${counts.map(({ delta }) => delta)}::integer[]
    )`;
}

/**
 * Inserts the topics' rows, or locks them, until the transaction ends, in the order of `counts`.
 * Transactions that change which articles have these topics wait here.
 */
export function lockTopics(tx: Tx, counts: readonly TopicCount[]): Promise<number> {
  return tx.run(sql`
    insert into topics (bucket, slug, article_count)
    select bucket, slug, 0
    from ${columnsOf(counts)} with ordinality as given (bucket, slug, delta, place)
    order by place
    on conflict on constraint topics_slug_pkey
    do update set article_count = topics.article_count`);
}

const newestOfTopic = sql`(
      -- on one server: the newest article of each topic
      select n.published_at
      from article_topics n
      where n.topic = t.slug
      order by n.published_at desc, n.article_id desc
      limit 1
    )`;

/**
 * Applies the changes of counts, and deletes topics without articles. The rows must be locked. On several servers,
 * a statement that changes rows of several shards locks these shards, so it must name those that are locked already.
 */
export function setCounts(tx: Tx, counts: readonly TopicCount[]): void {
  const one = sql`
    -- every bucket: the articles of a topic live anywhere
    update topics t
    set article_count = t.article_count + given.delta, last_published_at = ${newestOfTopic}
    from ${columnsOf(counts)} as given (bucket, slug, delta)
    where t.bucket = given.bucket
      and t.slug = given.slug`;
  const overServers = () => sql`
    -- every bucket: the articles of a topic live anywhere
    with newest as materialized (
      select topic, max(published_at) as last
      from article_topics
      where topic = any(${counts.map(({ slug }) => slug)})
      group by topic
    )
    update topics t
    set article_count = t.article_count + given.delta, last_published_at = newest.last
    from ${columnsOf(counts)} as given (bucket, slug, delta)
    left join newest on newest.topic = given.slug
    where t.bucket = given.bucket
      and t.bucket = any(${counts.map(({ bucket }) => bucket)}::smallint[])
      and t.slug = given.slug`;
  void tx.run(orOverServers(one, overServers));
  void tx.run(sql`
    delete from topics t
    using ${columnsOf(counts)} as given (bucket, slug, delta)
    where t.bucket = given.bucket
      and t.slug = given.slug
      and t.article_count = 0`);
}

/** Recounts a topic from its articles, and deletes it if it has none. Its row must be locked. */
export function setTopicRecounted(tx: Tx, { bucket, slug }: TopicKey): void {
  void tx.run(sql`
    -- every bucket: the articles of a topic live anywhere
    with counted as materialized (
      select count(*)::integer as articles, max(published_at) as last
      from article_topics
      where topic = ${slug}
    )
    update topics t
    set article_count = counted.articles, last_published_at = counted.last
    from counted
    where t.bucket = ${bucket}
      and t.slug = ${slug}`);
  void tx.run(sql`
    delete from topics
    where bucket = ${bucket}
      and slug = ${slug}
      and article_count = 0`);
}
