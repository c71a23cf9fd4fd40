// Statements that lock a comment for moderation and change its state.
import { sql } from '#database';
import type { Tx } from '#database';
import type { LockedTarget, Moderated } from '#lib/moderated';
import type { RowKey } from '#lib/id';

export interface LockedComment extends LockedTarget {
  readonly article_id: string;
}

/** Locks the comment until the transaction ends. */
export function lockModeratedComment(tx: Tx, key: RowKey): Promise<LockedComment | undefined> {
  return tx.first(sql<LockedComment>`
    select
      c.author_id, c.owner_principal_id, c.status, false as deindexed, c.removed_at, c.removed_legally,
      c.reason_code, case when c.content is null then 'deleted' else 'visible' end as own_status,
      case when c.content is null then c.removed_at end as own_removed_at, c.article_id
    from comments c
    where c.bucket = ${key.bucket} and c.id = ${key.id}
    for no key update of c`);
}

/** Sets the state of a locked comment. */
export function setModeratedComment(
  tx: Tx,
  key: RowKey,
  state: Moderated,
  actionId: string | null,
): Promise<number> {
  return tx.run(sql`
    update comments
    set status = ${state.status}, removed_at = ${state.removed_at},
      removed_legally = ${state.removed_legally}, reason_code = ${state.reason_code},
      moderation_action_id = ${actionId}
    where bucket = ${key.bucket} and id = ${key.id}`);
}
