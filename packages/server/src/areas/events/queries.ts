// Statements that decide who may read the events of a principal.
import { readById, sql } from '#database';
import type { Db } from '#database';
import { keyOf } from '#lib/id';

export interface RecipientRow {
  readonly owner_principal_id: string | null;
}

const recipient = readById(
  (bucket, id) => sql<RecipientRow>`
    select owner_principal_id
    from principals
    where bucket = ${bucket} and id = ${id} and status <> 'closed'`,
);

/** Returns a principal that is not closed. */
export function findRecipient(db: Db, id: string): Promise<RecipientRow | undefined> {
  return db.find(recipient, keyOf(id));
}
