// Statements on article_search: the search documents of articles.
import { byId, keysTable, nothing, orOverServers, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import { statisticsBucket } from './query-words.ts';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';
import { documentOf, textForIndex } from './document-text.ts';

export interface ListedArticle {
  readonly revision_id: string;
  readonly title: string;
  /** JSON text. */
  readonly metadata: string;
  readonly author_id: string;
  readonly author_kind: string;
  readonly language: string;
  readonly disclosure: string;
  readonly signed: boolean;
  readonly published_at: string;
}

export interface IndexedText extends RowKey {
  readonly revision_id: string;
  readonly configuration: string;
  /** Number of characters of the content that are indexed. */
  readonly length: number;
  /** Unstemmed words of the title, in addition to the lexemes of the configuration. */
  readonly words: readonly string[];
  /** The number of words in the title, without variants of spelling. */
  readonly title_length: number;
  readonly marks: readonly string[];
  readonly published_at: string;
}

/**
 * Inserts those of the articles' search rows that are missing, and locks all until the transaction ends, in the order
 * of their keys: other transactions that index one of them wait here. The lock is on the derived rows so that no
 * request waits for it. Returns, by article id, the words of the previously indexed title. A row that another
 * transaction deletes between the two statements is not among them: ask again.
 *
 * An update would lock in one statement, but each new version of a row has all its words in the index once more.
 */
export async function lockSearchRows(
  tx: Tx,
  keys: readonly RowKey[],
  now: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  void tx.run(sql`
    insert into article_search (bucket, article_id, revision_id, document, indexed_at)
    select named.bucket, named.id, '', '', ${now}::timestamptz
    from ${keysTable(keys)}
    order by named.bucket, named.id
    on conflict on constraint article_search_article_id_pkey
    do nothing`);
  const one = sql<{ id: string; words: readonly string[] }>`
    select s.article_id as id, tsvector_to_array(s.title) as words
    from ${keysTable(keys)}
    join article_search s on s.bucket = named.bucket and s.article_id = named.id
    order by named.bucket, named.id
    -- on one server: many rows in the order of their keys
    for no key update of s`;
  const overServers = () => sql<{ id: string; words: readonly string[] }>`
    update article_search s
    set revision_id = s.revision_id
    from ${keysTable(keys)}
    where s.bucket = named.bucket
      and s.article_id = named.id
    returning s.article_id as id, tsvector_to_array(s.title) as words`;
  const rows = await tx.rows(orOverServers(one, overServers));
  return new Map(rows.map(({ id, words }) => [id, words]));
}

/** Found by its id: the planner may read all revisions of an article if it may begin with any of them. */
const publishedRevision = sql`cross join lateral (
      select bucket, held_hash
      from revisions
      where bucket = a.bucket and article_id = a.id and id = a.published_revision_id
      limit 1
    ) as r`;

/** Returns the present data to index of those of the articles that are listed. */
export async function findListedArticles(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReadonlyMap<string, ListedArticle>> {
  const rows = await tx.rows(sql<ListedArticle & { readonly id: string }>`
    select a.id, a.published_revision_id as revision_id, c.title, c.metadata::text as metadata, a.author_id, a.author_kind,
      a.language, a.disclosure, a.signed, a.published_at
    from ${keysTable(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    ${publishedRevision}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed`);
  return byId(rows);
}

/** Returns the ids of those of the articles that are listed with texts of more than `bytes` bytes. */
export async function listLongTexts(
  db: Db,
  keys: readonly RowKey[],
  bytes: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql<{ id: string }>`
    select a.id
    from ${keysTable(keys)}
    join articles a on a.bucket = named.bucket and a.id = named.id
    ${publishedRevision}
    join contents c on c.bucket = r.bucket and c.hash = r.held_hash
    where a.listed
      and octet_length(c.content) > ${bytes}`);
  return new Set(rows.map(({ id }) => id));
}

interface IndexedTexts {
  readonly indexed: readonly IndexedText[];
  /** When they are indexed. */
  readonly now: string;
}

/** `among` returns a condition on the buckets of a table, for a database whose tables are distributed. */
function indexStatement(
  { indexed, now }: IndexedTexts,
  among: (table: Statement) => Statement,
): Statement<{ id: string }> {
  return sql<{ id: string }>`
    with wanted as materialized (
      select bucket, id, revision_id, configuration, length, words, title_length, marks, published_at
      from json_to_recordset(${JSON.stringify(indexed)}::json) as given (
        bucket smallint, id text, revision_id text, configuration text, length integer, words text[],
        title_length smallint, marks text[], published_at timestamptz
      )
    ), configuration as materialized (
      select wanted.id as article_id, coalesce(c.oid, 'pg_catalog.simple'::regconfig)::regconfig as id,
        coalesce(c.cfgname, 'simple') as name
      from wanted
      left join pg_catalog.pg_ts_config c
        on c.cfgname = wanted.configuration and c.cfgnamespace = 'pg_catalog'::regnamespace
    ), known as (
      insert into search_configurations (bucket, configuration)
      select distinct ${statisticsBucket}::smallint, configuration.name
      from configuration
      order by configuration.name
      on conflict on constraint search_configurations_configuration_pkey
      do nothing
    ), written as materialized (
      select wanted.id, c.title, left(c.content, wanted.length) as content
      from wanted
      join revisions r
        on r.bucket = wanted.bucket ${among(sql`r`)} and r.article_id = wanted.id and r.id = wanted.revision_id
      join contents c on c.bucket = r.bucket ${among(sql`c`)} and c.hash = r.held_hash
    ), given as materialized (
      select written.id, ${textForIndex(sql`written.title`)} as title,
        ${textForIndex(sql`written.content`)} as content
      from written
    ), made as materialized (
      select given.id, configuration.name as configuration,
        ${documentOf(sql`given.title`)} as title,
        ${documentOf(sql`given.content`)} as content
      from given
      join configuration on configuration.article_id = given.id
    )
    update article_search s
    set revision_id = wanted.revision_id,
      configuration = made.configuration,
      document = setweight(made.title, 'A') || setweight(made.content, 'B'),
      title = made.title || array_to_tsvector(wanted.words),
      title_length = wanted.title_length,
      marks = wanted.marks,
      published_at = wanted.published_at,
      indexed_at = ${now}::timestamptz
    from made
    join wanted on wanted.id = made.id
    where s.bucket = wanted.bucket ${among(sql`s`)}
      and s.article_id = wanted.id
    returning s.article_id as id`;
}

/**
 * Indexes titles and texts inside the database, so the texts are not transferred. The rows must be locked.
 * Returns the ids of the articles whose texts existed: one may have been erased since its title was read.
 */
export async function setDocuments(
  tx: Tx,
  indexed: readonly IndexedText[],
  now: string,
): Promise<ReadonlySet<string>> {
  const buckets = sql`any(${indexed.map(({ bucket }) => bucket)}::smallint[])`;
  const inBuckets = (table: Statement) => sql`and ${table}.bucket = ${buckets}`;
  const one = indexStatement({ indexed, now }, () => nothing);
  const rows = await tx.rows(orOverServers(one, () => indexStatement({ indexed, now }, inBuckets)));
  return new Set(rows.map(({ id }) => id));
}

/** The rows must be locked. */
export async function deleteSearchRows(tx: Tx, keys: readonly RowKey[]): Promise<void> {
  await tx.run(sql`
    delete from article_search s
    using ${keysTable(keys)}
    where s.bucket = named.bucket
      and s.article_id = named.id`);
}

/** The search rows of articles that are not listed. */
export const listStaleDocuments = walkOf({
  from: sql`article_search s left join articles a on a.bucket = s.bucket and a.id = s.article_id`,
  id: sql`s.article_id`,
  only: sql`a.listed is not true`,
});
