// Statements on comment_search: the search documents of comments.
import { keysTable, sql } from '#database';
import type { Statement, Tx } from '#database';
import { documentOf, textForIndex } from './document-text.ts';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

/** PostgreSQL's text-search configurations by the primary subtag of a language tag. */
export type ConfigurationsByLanguage = Readonly<Record<string, string>>;

/** Comments of one bucket. */
export interface CommentKeys {
  readonly bucket: number;
  readonly ids: readonly string[];
}

/**
 * Locks comments of one bucket until the transaction ends, in the order of their ids, so that the rows derived
 * here are correct at the commit: a transaction that hides or deletes one of them waits, or came first. Returns
 * the ids of the visible ones. The comments are locked instead of the derived rows, because writing such a row
 * twice would double the cost of a comment.
 */
export async function lockVisible(tx: Tx, { bucket, ids }: CommentKeys): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string; visible: boolean }>`
    select id, status = 'visible' as visible
    from comments
    where bucket = ${bucket}
      and id = any(${ids})
    order by id
    for share`);
  return new Set(rows.flatMap(({ id, visible }) => (visible ? [id] : [])));
}

/**
 * Locks the next comments of an article against concurrent indexing, and returns their ids, oldest first. A
 * transaction that indexed one of them before has committed; a later one sees the article as it is now.
 */
export async function lockCommentsOf(
  tx: Tx,
  article: RowKey,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id
    from comments
    where bucket = ${article.bucket}
      and article_id = ${article.id}
      and id > ${page.after}
    order by id
    limit ${page.limit}
    for no key update`);
  return rows.map(({ id }) => id);
}

/** Returns the text-search configuration for the language of a comment's article. */
function configurationName(language: Statement, configurations: ConfigurationsByLanguage) {
  const byLanguage = JSON.stringify(configurations);
  return sql`coalesce(
        ${byLanguage}::jsonb ->> lower(split_part(${language}, '-', 1)), 'simple'
      )`;
}

/**
 * Returns those of these locked comments of one bucket that are indexed for another language than their
 * article's.
 */
export async function listIndexedOtherwise(
  tx: Tx,
  { bucket, ids }: CommentKeys,
  configurations: ConfigurationsByLanguage,
): Promise<readonly string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select c.id
    from comments c
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    join comment_search s on s.bucket = c.bucket and s.comment_id = c.id
    where c.bucket = ${bucket}
      and c.id = any(${ids})
      and c.status = 'visible'
      and s.configuration <> ${configurationName(sql`a.language`, configurations)}
    order by c.id`);
  return rows.map(({ id }) => id);
}

/**
 * Indexes the texts of locked comments inside the database, so the texts are not transferred. The language is
 * the article's at this statement, which runs after the lock. Several are one statement, also those of several
 * buckets, because its patterns for characters are longer than most comments.
 */
export async function setCommentDocuments(
  tx: Tx,
  keys: readonly RowKey[],
  {
    configurations,
    now,
  }: { readonly configurations: ConfigurationsByLanguage; readonly now: string },
): Promise<void> {
  await tx.run(sql`
    with wanted as materialized (
      select c.bucket, c.id, c.owner_principal_id is not null as by_agent, c.content,
        ${configurationName(sql`a.language`, configurations)} as name
      from ${keysTable(keys)}
      join comments c on c.bucket = named.bucket and c.id = named.id
      join articles a on a.bucket = c.bucket and a.id = c.article_id
      where c.status = 'visible'
    ), configuration as materialized (
      select chosen.name as wanted, coalesce(t.oid, 'pg_catalog.simple'::regconfig)::regconfig as id,
        coalesce(t.cfgname, 'simple') as name
      from (select distinct name from wanted) as chosen
      left join pg_catalog.pg_ts_config t
        on t.cfgname = chosen.name and t.cfgnamespace = 'pg_catalog'::regnamespace
    ), known as (
      insert into search_configurations (bucket, configuration)
      select distinct 0, configuration.name
      from configuration
      order by configuration.name
      on conflict on constraint search_configurations_configuration_pkey
      do nothing
    ), given as materialized (
      select wanted.bucket, wanted.id, wanted.by_agent, wanted.name,
        ${textForIndex(sql`wanted.content`)} as content
      from wanted
    )
    insert into comment_search as s (
      bucket, comment_id, by_agent, configuration, document, indexed_at
    )
    select given.bucket, given.id, given.by_agent, configuration.name,
      ${documentOf(sql`given.content`)}, ${now}::timestamptz
    from given
    join configuration on configuration.wanted = given.name
    order by given.bucket, given.id
    on conflict on constraint comment_search_comment_id_pkey
    do update set configuration = excluded.configuration, document = excluded.document,
      indexed_at = excluded.indexed_at
    where (s.configuration, s.document) is distinct from (excluded.configuration, excluded.document)`);
}

export async function deleteCommentDocuments(tx: Tx, keys: readonly RowKey[]): Promise<void> {
  await tx.run(sql`
    delete from comment_search s
    using ${keysTable(keys)}
    where s.bucket = named.bucket
      and s.comment_id = named.id`);
}

/** The indexed comments that are no longer visible. */
export const listStaleComments = walkOf({
  from: sql`comment_search s left join comments c on c.bucket = s.bucket and c.id = s.comment_id`,
  id: sql`s.comment_id`,
  only: sql`c.status is distinct from 'visible'`,
});
