// Statements on the comments of closed accounts, which lose their text in pages.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

/** Lists the account and its agents, which are in one bucket, in any order. */
export async function listTreated(db: Db, principal: RowKey): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select id
    from principals
    where bucket = ${principal.bucket}
      and (id = ${principal.id} or owner_principal_id = ${principal.id})`);
  return rows.map((row) => row.id);
}

/** Returns the cursor of an author's treatment and starts it if needed; undefined when it is finished. */
export async function findTreatmentCursor(tx: Tx, author: RowKey): Promise<string | undefined> {
  void tx.run(sql`
    insert into comment_treatments (bucket, author_id)
    values (${author.bucket}, ${author.id})
    on conflict on constraint comment_treatments_author_id_pkey do nothing`);
  const row = await tx.first(sql<{ after_id: string }>`
    select after_id
    from comment_treatments
    where bucket = ${author.bucket} and author_id = ${author.id} and finished_at is null`);
  return row?.after_id;
}

/** Lists the next comments to treat, oldest first. */
export async function listNextTreated(
  db: Db,
  author: RowKey,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ comment_id: string }>`
    select comment_id
    from comments_by_author
    where bucket = ${author.bucket}
      and author_id = ${author.id}
      and comment_id > ${page.after}
    order by comment_id
    limit ${page.limit}`);
  return rows.map((row) => row.comment_id);
}

/** Moves the cursor forward, never back; `finished` is set after the last page. */
export function setTreatmentCursor(
  tx: Tx,
  author: RowKey,
  progress: { readonly after: string; readonly finished: Date | null },
): Promise<number> {
  return tx.run(sql`
    update comment_treatments
    set after_id = greatest(after_id, ${progress.after}),
      finished_at = ${progress.finished?.toISOString() ?? null}
    where bucket = ${author.bucket} and author_id = ${author.id} and finished_at is null`);
}

export interface ErasedComment {
  readonly id: string;
  readonly article_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  /** Whether everyone could read it until now. */
  readonly visible: boolean;
}

/** Deletes the text of comments of one bucket and returns those that had one. */
export function setErased(
  tx: Tx,
  bucket: number,
  ids: readonly string[],
  now: Date,
): Promise<readonly ErasedComment[]> {
  return tx.rows(sql<ErasedComment>`
    with taken as materialized (
      select bucket, id, article_id, author_id, owner_principal_id, status
      from comments
      where bucket = ${bucket} and id = any (${ids}::text[]) and status <> 'deleted'
      order by id
      for no key update
    ), erased as (
      update comments
      set status = 'deleted', content = null,
        removed_at = coalesce(comments.removed_at, ${now.toISOString()})
      from taken
      where comments.bucket = taken.bucket and comments.id = taken.id
    )
    select id, article_id, author_id, owner_principal_id, status = 'visible' as visible
    from taken
    order by id`);
}
