// Deletes the events of a closed account permanently.
import { sql } from '#database';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';

/**
 * Closes the event counter of a principal. After this commit no event is written for the principal: the
 * statement waits for a transaction that is writing one, and the closed counter stays to stop statements
 * that saw the account still open.
 */
export function closeCounter(tx: Tx, principalId: string): Promise<number> {
  return tx.run(sql`
    insert into event_counters (bucket, principal_id, number, last_time, closed)
    values (${bucketOf(principalId)}, ${principalId}, 0, '', true)
    on conflict on constraint event_counters_principal_id_pkey do update
    set number = 0, last_time = '', closed = true`);
}

/** Deletes up to `limit` events of a principal and returns how many. */
export function deleteEvents(tx: Tx, principalId: string, limit: number): Promise<number> {
  return tx.run(sql`
    with old as materialized (
      select bucket, principal_id, id
      from events
      where bucket = ${bucketOf(principalId)} and principal_id = ${principalId}
      order by id
      limit ${limit}
    )
    delete from events
    using old
    where events.bucket = old.bucket
      and events.principal_id = old.principal_id
      and events.id = old.id`);
}
