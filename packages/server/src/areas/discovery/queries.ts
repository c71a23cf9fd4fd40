// SQL on article_search and article_topics.
import { sql } from '#database';
import type { Tx } from '#database';

/** Names one article; every statement goes to its bucket. */
export interface ArticleKey {
  readonly bucket: number;
  readonly id: string;
}

export interface ListedArticle {
  readonly revision_id: string;
  readonly language: string;
  readonly metadata: unknown;
}

export interface IndexedText {
  readonly revision_id: string;
  readonly configuration: string;
  /** Characters of the content that are indexed. */
  readonly length: number;
}

/**
 * Makes the article's search row, or holds it when it exists, until the transaction ends: whoever else
 * indexes the same article waits here. The lock is on the derived row so that no request waits for it.
 */
export async function lockSearchRow(
  tx: Tx,
  { bucket, id }: ArticleKey,
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into article_search (bucket, article_id, revision_id, document, indexed_at)
    values (${bucket}, ${id}, '', '', ${now})
    on conflict on constraint article_search_article_id_pkey
    do update set indexed_at = excluded.indexed_at`);
}

/** What there is to index now; undefined when the article is not listed. */
export async function findListedArticle(
  tx: Tx,
  { bucket, id }: ArticleKey,
): Promise<ListedArticle | undefined> {
  return tx.first(sql<ListedArticle>`
    select a.published_revision_id as revision_id, a.language, c.metadata
    from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${bucket}
      and a.id = ${id}
      and a.listed`);
}

/** Indexes one revision's title and text inside the database: the text does not travel. */
export async function setDocument(
  tx: Tx,
  { bucket, id }: ArticleKey,
  indexed: IndexedText,
): Promise<void> {
  await tx.run(sql`
    with configuration as materialized (
      select coalesce(
        (
          select oid
          from pg_catalog.pg_ts_config
          where cfgname = ${indexed.configuration}
            and cfgnamespace = 'pg_catalog'::regnamespace
        ),
        'pg_catalog.simple'::regconfig
      )::regconfig as id
    )
    update article_search s
    set revision_id = r.id,
      document = setweight(to_tsvector(configuration.id, c.title), 'A')
        || setweight(to_tsvector(configuration.id, left(c.content, ${indexed.length}::integer)), 'B')
    from configuration, revisions r
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where s.bucket = ${bucket}
      and s.article_id = ${id}
      and r.bucket = s.bucket
      and r.article_id = s.article_id
      and r.id = ${indexed.revision_id}`);
}

export async function deleteSearchRow(tx: Tx, { bucket, id }: ArticleKey): Promise<void> {
  await tx.run(sql`
    delete from article_search
    where bucket = ${bucket}
      and article_id = ${id}`);
}

/** Makes `topics` the article's topics; none removes them all. */
export async function setTopics(
  tx: Tx,
  { bucket, id }: ArticleKey,
  topics: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from article_topics
      where bucket = ${bucket}
        and article_id = ${id}
        and topic <> all(${topics})
    )
    insert into article_topics (bucket, article_id, topic)
    select ${bucket}, ${id}, topic
    from unnest(${topics}::text[]) as topic
    on conflict on constraint article_topics_topic_pkey
    do nothing`);
}
