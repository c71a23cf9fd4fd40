// Statements on closings that a copy of the ledger may not contain, or that a restored database lacks.
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface UnrecordedClosing {
  readonly bucket: number;
  readonly principal_id: string;
  /** RFC 3339. */
  readonly closed_at: string;
}

/** Lists closings with the treatment `erase` of before that time, oldest first. */
export function listUnrecordedClosings(
  db: Db,
  before: Date,
  limit: number,
): Promise<readonly UnrecordedClosing[]> {
  return db.rows(sql<UnrecordedClosing>`
    -- every bucket: recurring work in the background
    select bucket, principal_id, closed_at
    from closings
    where recorded_at is null and treatment = 'erase' and closed_at < ${before.toISOString()}
    order by closed_at, principal_id
    limit ${limit}`);
}

/** Stores that every copy of the ledger contains these closings. */
export function setClosingsRecorded(
  tx: Tx,
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly string[] },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update closings
    set recorded_at = ${now.toISOString()}
    where bucket = ${bucket} and principal_id = any(${ids}) and recorded_at is null`);
}

/** Counts closings with the treatment `erase` of before that time that are not in every copy of the ledger. */
export async function countUnrecordedClosings(db: Db, before: Date): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: the operator's check
    select count(*)::float8 as count
    from closings
    where recorded_at is null and treatment = 'erase' and closed_at < ${before.toISOString()}`);
  return row?.count ?? 0;
}

/** Returns which of these accounts, from any buckets, exist and are not closed. */
export async function listNotClosed(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select p.id
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    where p.status <> 'closed'
    order by p.id`);
  return rows.map((row) => row.id);
}

/** Locks an account until the transaction ends, as its own closing does; undefined if it is closed. */
export function lockNotClosed(
  tx: Tx,
  { bucket, id }: RowKey,
): Promise<(RowKey & { readonly username: string }) | undefined> {
  return tx.first(sql<RowKey & { readonly username: string }>`
    select bucket, id, username
    from principals
    where bucket = ${bucket} and id = ${id} and status <> 'closed'
    for update`);
}
