// Statements on comment_search: the search documents of comments.
import { sql } from '#database';
import type { Statement, Tx } from '#database';
import { documentOf, textForIndex } from './document-text.ts';
import { walkOf } from '#reindex';
import type { RowKey } from '#lib/id';

/** PostgreSQL's text-search configurations by the primary subtag of a language tag. */
export type ConfigurationsByLanguage = Readonly<Record<string, string>>;

export interface LockedComment {
  readonly visible: boolean;
}

/**
 * Locks a comment until the transaction ends, so that the rows derived here are correct at the commit: a
 * transaction that hides or deletes it waits, or came first. The comment is locked instead of the derived
 * row, because writing that row twice would double the cost of a comment.
 */
export function lockComment(tx: Tx, { bucket, id }: RowKey): Promise<LockedComment | undefined> {
  return tx.first(sql<LockedComment>`
    select status = 'visible' as visible
    from comments
    where bucket = ${bucket}
      and id = ${id}
    for share`);
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
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly string[] },
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
 * Indexes the text of a locked comment inside the database, so the text is not transferred. The language is
 * the article's at this statement, which runs after the lock.
 */
export async function setCommentDocument(
  tx: Tx,
  { bucket, id }: RowKey,
  {
    configurations,
    now,
  }: { readonly configurations: ConfigurationsByLanguage; readonly now: string },
): Promise<void> {
  await tx.run(sql`
    with wanted as materialized (
      select ${configurationName(sql`a.language`, configurations)} as name
      from comments c
      join articles a on a.bucket = c.bucket and a.id = c.article_id
      where c.bucket = ${bucket}
        and c.id = ${id}
    ), configuration as materialized (
      select oid::regconfig as id, cfgname as name
      from pg_catalog.pg_ts_config
      where cfgname in ((select name from wanted), 'simple')
        and cfgnamespace = 'pg_catalog'::regnamespace
      order by cfgname = 'simple'
      limit 1
    ), known as (
      insert into search_configurations (bucket, configuration)
      select 0, configuration.name
      from configuration
      on conflict on constraint search_configurations_configuration_pkey
      do nothing
    ), given as materialized (
      select c.bucket, c.id, c.owner_principal_id is not null as by_agent,
        ${textForIndex(sql`c.content`)} as content
      from comments c
      where c.bucket = ${bucket}
        and c.id = ${id}
        and c.status = 'visible'
    )
    insert into comment_search as s (
      bucket, comment_id, by_agent, configuration, document, indexed_at
    )
    select given.bucket, given.id, given.by_agent, configuration.name,
      ${documentOf(sql`given.content`)}, ${now}::timestamptz
    from given
    cross join configuration
    on conflict on constraint comment_search_comment_id_pkey
    do update set configuration = excluded.configuration, document = excluded.document,
      indexed_at = excluded.indexed_at
    where (s.configuration, s.document) is distinct from (excluded.configuration, excluded.document)`);
}

export async function deleteCommentDocument(tx: Tx, { bucket, id }: RowKey): Promise<void> {
  await tx.run(sql`
    delete from comment_search
    where bucket = ${bucket}
      and comment_id = ${id}`);
}

/** The indexed comments that are no longer visible. */
export const listStaleComments = walkOf({
  from: sql`comment_search s left join comments c on c.bucket = s.bucket and c.id = s.comment_id`,
  id: sql`s.comment_id`,
  only: sql`c.status is distinct from 'visible'`,
});
