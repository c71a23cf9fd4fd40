// SQL on comment_search: what comments are found by.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import { documentOf, spaced } from './documents.ts';
import { bucketAfter } from './walk.ts';

/** Names one comment; it lives in its article's bucket. */
export interface CommentKey {
  readonly bucket: number;
  readonly id: string;
}

export interface HeldComment {
  readonly visible: boolean;
  /** Of its article. */
  readonly language: string;
}

/**
 * Holds a comment as it is until the transaction ends, so that what is derived from it here is true at
 * the commit: whoever hides or deletes it waits that long, or was first. The comment is held and not the
 * row derived from it, because making that row twice would double what a comment costs.
 */
export function holdComment(tx: Tx, { bucket, id }: CommentKey): Promise<HeldComment | undefined> {
  return tx.first(sql<HeldComment>`
    select c.status = 'visible' as visible, a.language
    from comments c
    join articles a on a.bucket = c.bucket and a.id = c.article_id
    where c.bucket = ${bucket}
      and c.id = ${id}
    for share of c`);
}

/** Indexes the text of a held comment inside the database: it does not travel. */
export async function setCommentDocument(
  tx: Tx,
  { bucket, id }: CommentKey,
  { configuration, now }: { readonly configuration: string; readonly now: string },
): Promise<void> {
  await tx.run(sql`
    with configuration as materialized (
      select oid::regconfig as id, cfgname as name
      from pg_catalog.pg_ts_config
      where cfgname in (${configuration}, 'simple')
        and cfgnamespace = 'pg_catalog'::regnamespace
      order by cfgname = ${configuration} desc
      limit 1
    ), known as (
      insert into search_configurations (bucket, configuration)
      select 0, configuration.name
      from configuration
      on conflict on constraint search_configurations_configuration_pkey
      do nothing
    ), given as materialized (
      select c.bucket, c.id, c.owner_principal_id is not null as by_agent,
        ${spaced(sql`c.content`)} as content
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

export async function deleteCommentDocument(tx: Tx, { bucket, id }: CommentKey): Promise<void> {
  await tx.run(sql`
    delete from comment_search
    where bucket = ${bucket}
      and comment_id = ${id}`);
}

/** Rows of comments that nobody can see any more. */
export async function listStaleComments(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    -- every bucket: an operator's command goes through all of them, in their order
    select s.comment_id as id
    from comment_search s
    left join comments c on c.bucket = s.bucket and c.id = s.comment_id
    where (s.bucket, s.comment_id) > (${bucketAfter(after)}, ${after})
      and c.status is distinct from 'visible'
    order by s.bucket, s.comment_id
    ${justFirst(limit)}`);
  return rows.map((row) => row.id);
}
