// Statements on usernames: inserting one, and finding its principal.
import { sql } from '#database';
import type { Db, Tx } from '#database';

export interface NewName {
  readonly bucket: number;
  readonly skeleton: string;
  readonly username: string;
  readonly principalId: string;
  readonly now: Date;
}

/** Fails with usernames_skeleton_pkey when the name is taken. */
export function insertUsername(tx: Tx, name: NewName): Promise<number> {
  return tx.run(sql`
    insert into usernames (bucket, skeleton, username, principal_id, created_at)
    values (
      ${name.bucket}, ${name.skeleton}, ${name.username}, ${name.principalId},
      ${name.now.toISOString()}
    )`);
}

/**
 * Deletes the name of a closed account once its reservation has ended; runs before the name is inserted
 * again.
 */
export function deleteLapsedUsername(
  tx: Tx,
  name: Pick<NewName, 'bucket' | 'skeleton' | 'now'>,
): Promise<number> {
  return tx.run(sql`
    delete from usernames
    where bucket = ${name.bucket}
      and skeleton = ${name.skeleton}
      and reserved_until <= ${name.now.toISOString()}`);
}

interface NameRow {
  readonly username: string;
  readonly principal_id: string;
  /** Set when the account was closed; until then the name cannot be taken. */
  readonly reserved_until: string | null;
}

export function findUsername(
  db: Db,
  bucket: number,
  skeleton: string,
): Promise<NameRow | undefined> {
  return db.first(sql<NameRow>`
    select username, principal_id, reserved_until
    from usernames
    where bucket = ${bucket} and skeleton = ${skeleton}`);
}
