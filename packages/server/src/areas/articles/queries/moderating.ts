// Statements that lock an article for moderation and change its state.
import { sql } from '#database';
import type { Tx } from '#database';
import type { LockedTarget, Moderated } from '#lib/moderated';
import type { RowKey } from '#lib/id';

/**
 * Locks the article until the transaction ends. Its own state follows from the author's acts: whether it was
 * published, and the treatment chosen when the account was closed. A later statement reads it: after a wait, a join
 * in the one that locks would still return the account from before it was closed.
 */
export function lockModeratedArticle(tx: Tx, key: RowKey): Promise<LockedTarget | undefined> {
  void tx.run(sql`
    select id
    from articles
    where bucket = ${key.bucket} and id = ${key.id}
    for no key update`);
  return tx.first(sql<LockedTarget>`
    select
      a.author_id, p.owner_principal_id, a.status, a.deindexed, a.removed_at, a.removed_legally,
      a.reason_code,
      case
        when a.published_revision_id is null then 'draft'
        when coalesce(o.treatment, p.treatment) = 'unpublish' then 'unpublished'
        else 'published'
      end as own_status,
      case
        when a.published_revision_id is not null and coalesce(o.treatment, p.treatment) = 'unpublish'
        then coalesce(o.closed_at, p.closed_at)
      end as own_removed_at
    from articles a
    join principals p on p.bucket = a.bucket and p.id = a.author_id
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    where a.bucket = ${key.bucket} and a.id = ${key.id}`);
}

/**
 * Sets the state of a locked article. The date of its last change stays, because the article was not edited.
 */
export function setModeratedArticle(
  tx: Tx,
  key: RowKey,
  state: Moderated,
  actionId: string | null,
): Promise<number> {
  return tx.run(sql`
    update articles
    set status = ${state.status}, deindexed = ${state.deindexed}, removed_at = ${state.removed_at},
      removed_legally = ${state.removed_legally}, reason_code = ${state.reason_code},
      moderation_action_id = ${actionId}
    where bucket = ${key.bucket} and id = ${key.id}`);
}
