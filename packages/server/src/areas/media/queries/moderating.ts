// Statements that lock a record for moderation and change its state; the bytes stay.
import { sql } from '#database';
import type { Tx } from '#database';
import type { LockedTarget, Moderated } from '#lib/moderated';
import type { RowKey } from '#lib/id';

/**
 * Locks the record until the transaction ends. A hidden record has the status `hidden` here, even if its
 * owner has deleted it since.
 */
export function lockModeratedMedia(tx: Tx, key: RowKey): Promise<LockedTarget | undefined> {
  return tx.first(sql<LockedTarget>`
    select
      m.owner_principal_id as author_id, p.owner_principal_id,
      case when m.hidden then 'hidden' else m.status end as status,
      false as deindexed, m.removed_at, m.removed_legally, m.reason_code,
      case when m.held_checksum is null then 'removed' else 'ready' end as own_status,
      case when m.held_checksum is null then m.removed_at end as own_removed_at
    from media m
    join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
    where m.bucket = ${key.bucket} and m.id = ${key.id}
    for update of m`);
}

/** Sets the state of a locked record. */
export function setModeratedMedia(tx: Tx, key: RowKey, state: Moderated): Promise<number> {
  const hidden = state.status === 'hidden';
  return tx.run(sql`
    update media
    set status = ${hidden ? 'ready' : state.status}, hidden = ${hidden}, removed_at = ${state.removed_at},
      removed_legally = ${state.removed_legally}, reason_code = ${state.reason_code}
    where bucket = ${key.bucket} and id = ${key.id}`);
}
