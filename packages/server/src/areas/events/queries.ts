// Statements that decide who may read the events of a principal.
import { sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';

export interface RecipientRow {
  readonly owner_principal_id: string | null;
}

/** Returns a principal that is not closed. */
export function findRecipient(db: Db, id: string): Promise<RecipientRow | undefined> {
  return db.first(sql<RecipientRow>`
    select owner_principal_id
    from principals
    where bucket = ${bucketOf(id)} and id = ${id} and status <> 'closed'`);
}
