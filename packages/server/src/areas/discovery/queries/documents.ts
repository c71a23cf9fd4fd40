// SQL on article_search.
import { justFirst, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import { indexingSteps } from '#lib/indexed-text';
import { unspacedClass } from '#lib/unspaced';
import { statisticsBucket } from './search-statistics.ts';
import { bucketAfter } from './walk.ts';

/** Names one article; every statement goes to its bucket. */
export interface ArticleKey {
  readonly bucket: number;
  readonly id: string;
}

export interface ListedArticle {
  readonly revision_id: string;
  readonly title: string;
  readonly metadata: unknown;
  readonly author_id: string;
  readonly author_kind: string;
  readonly language: string;
  readonly disclosure: string;
  readonly signed: boolean;
  readonly published_at: string;
}

export interface IndexedText {
  readonly revision_id: string;
  readonly configuration: string;
  /** Characters of the content that are indexed. */
  readonly length: number;
  /** Words of the title as they are, beside those that the configuration makes of them. */
  readonly words: readonly string[];
  /** How many words the title has, without those that are only spelt in another way. */
  readonly titleLength: number;
  readonly marks: readonly string[];
  readonly published_at: string;
}

/**
 * Makes the article's search row, or holds it when it exists, until the transaction ends: whoever else
 * indexes the same article waits here. The lock is on the derived row so that no request waits for it.
 * Answers what the title was found by until now.
 */
export async function lockSearchRow(
  tx: Tx,
  { bucket, id }: ArticleKey,
  now: string,
): Promise<readonly string[]> {
  const row = await tx.first(sql<{ words: readonly string[] }>`
    insert into article_search (bucket, article_id, revision_id, document, indexed_at)
    values (${bucket}, ${id}, '', '', ${now})
    on conflict on constraint article_search_article_id_pkey
    do update set indexed_at = excluded.indexed_at
    returning tsvector_to_array(title) as words`);
  return row?.words ?? [];
}

/** What there is to index now; undefined when the article is not listed. */
export async function findListedArticle(
  tx: Tx,
  { bucket, id }: ArticleKey,
): Promise<ListedArticle | undefined> {
  return tx.first(sql<ListedArticle>`
    select a.published_revision_id as revision_id, c.title, c.metadata, a.author_id, a.author_kind,
      a.language, a.disclosure, a.signed, a.published_at
    from articles a
    join revisions r on r.bucket = a.bucket and r.article_id = a.id and r.id = a.published_revision_id
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.bucket = ${bucket}
      and a.id = ${id}
      and a.listed`);
}

const runs = (text: Statement) => sql`regexp_replace(${text}, ${`[^${unspacedClass}]+`}, ' ', 'g')`;
const inPairs = (text: Statement) =>
  sql`regexp_replace(${text}, ${`([${unspacedClass}])([${unspacedClass}])`}, '\\1\\2 ', 'g')`;
const shiftedByOne = (text: Statement) =>
  sql`regexp_replace(${text}, ${`(^| )([${unspacedClass}])`}, '\\1\\2 ', 'g')`;

/**
 * The words of a text by its configuration. What is written without spaces is indexed by pairs of
 * characters, those that begin at even places and those at odd ones: PostgreSQL takes a sentence for a word.
 */
export function documentOf(text: Statement): Statement {
  return sql`case
        when ${text} ~ ${`[${unspacedClass}]`} then
          to_tsvector(configuration.id, regexp_replace(${text}, ${`[${unspacedClass}]+`}, ' ', 'g'))
          || to_tsvector('pg_catalog.simple', ${inPairs(runs(text))})
          || to_tsvector('pg_catalog.simple', ${inPairs(shiftedByOne(runs(text)))})
        else to_tsvector(configuration.id, ${text})
      end`;
}

/**
 * A text as it is indexed, so that nothing depends on what PostgreSQL takes for a letter in its locale, nor
 * on what it takes for an address, a file, a tag or a negative number.
 */
export function spaced(text: Statement): Statement {
  const { hidden, replaced } = indexingSteps();
  const shown = sql`normalize(regexp_replace(${text}, ${hidden}, '', 'g'), nfc)`;
  return replaced.reduce(
    (rest, [pattern, by]) => sql`regexp_replace(${rest}, ${pattern}, ${by}, 'g')`,
    shown,
  );
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
    ), known as (
      insert into search_configurations (bucket, configuration)
      select ${statisticsBucket}::smallint, c.cfgname
      from configuration
      join pg_catalog.pg_ts_config c on c.oid = configuration.id
      on conflict on constraint search_configurations_configuration_pkey
      do nothing
    ), given as materialized (
      select r.bucket, r.article_id, r.id, ${spaced(sql`c.title`)} as title,
        ${spaced(sql`left(c.content, ${indexed.length}::integer)`)} as content
      from revisions r
      join contents c on c.bucket = r.bucket and c.hash = r.held_hash
      where r.bucket = ${bucket}
        and r.article_id = ${id}
        and r.id = ${indexed.revision_id}
    ), made as materialized (
      select given.bucket, given.article_id, given.id,
        ${documentOf(sql`given.title`)} as title,
        ${documentOf(sql`given.content`)} as content
      from given
      cross join configuration
    )
    update article_search s
    set revision_id = made.id,
      configuration = (
        select c.cfgname
        from configuration
        join pg_catalog.pg_ts_config c on c.oid = configuration.id
      ),
      document = setweight(made.title, 'A') || setweight(made.content, 'B'),
      title = made.title || array_to_tsvector(${indexed.words}::text[]),
      title_length = ${indexed.titleLength},
      marks = ${indexed.marks},
      published_at = ${indexed.published_at}
    from made
    where s.bucket = ${bucket}
      and s.article_id = ${id}
      and made.bucket = s.bucket
      and made.article_id = s.article_id`);
}

export async function deleteSearchRow(tx: Tx, { bucket, id }: ArticleKey): Promise<void> {
  await tx.run(sql`
    delete from article_search
    where bucket = ${bucket}
      and article_id = ${id}`);
}

/** Search rows of articles that are not listed. */
export async function listStaleDocuments(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    -- every bucket: an operator's command goes through all of them, in their order
    select kept.article_id as id
    from article_search kept
    left join articles a on a.bucket = kept.bucket and a.id = kept.article_id
    where (kept.bucket, kept.article_id) > (${bucketAfter(after)}, ${after})
      and a.listed is not true
    order by kept.bucket, kept.article_id
    ${justFirst(limit)}`);
  return rows.map((row) => row.id);
}
