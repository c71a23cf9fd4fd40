// Statements on usernames: taking one, and whose it is.
import { sql } from '#database';
import type { Db, Tx } from '#database';

export interface NewName {
  readonly bucket: number;
  readonly skeleton: string;
  readonly username: string;
  readonly principalId: string;
  readonly now: Date;
}

/** Refused by usernames_skeleton_pkey when the name is taken. */
export function insertUsername(tx: Tx, name: NewName): Promise<number> {
  return tx.run(sql`
    insert into usernames (bucket, skeleton, username, principal_id, created_at)
    values (
      ${name.bucket}, ${name.skeleton}, ${name.username}, ${name.principalId},
      ${name.now.toISOString()}
    )`);
}

/** Frees a closed account's name once its reservation is over; goes before whoever takes it. */
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
  /** Set once the account was closed: nobody takes the name before. */
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
