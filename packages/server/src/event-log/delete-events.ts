// Forgets the events of a closed account, for good.
import { sql } from '#database';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';

/**
 * From the commit of this on nobody writes an event for the principal: the counter waits for whoever is
 * writing one, and stays as a mark for those whose statement saw the account still open.
 */
export function closeCounter(tx: Tx, principalId: string): Promise<number> {
  return tx.run(sql`
    insert into event_counters (bucket, principal_id, number, last_time, closed)
    values (${bucketOf(principalId)}, ${principalId}, 0, '', true)
    on conflict on constraint event_counters_principal_id_pkey do update
    set number = 0, last_time = '', closed = true`);
}

/** Deletes some of the events of a principal, and answers how many. */
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
