// Statements on erasures that are not yet in every copy of the ledger.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { Works } from './erasing.ts';

export interface PendingErasure {
  readonly bucket: number;
  readonly article_id: string;
  /** RFC 3339. */
  readonly erased_at: string;
}

/** Call it in the transaction of the erasure. */
export function insertPendingErasures(tx: Tx, { bucket, ids }: Works, now: Date): Promise<number> {
  return tx.run(sql`
    insert into pending_erasures (bucket, article_id, erased_at)
    select ${bucket}, erased.id, ${now.toISOString()}::timestamptz
    from unnest(${ids}::text[]) as erased (id)
    on conflict on constraint pending_erasures_article_id_pkey
    do nothing`);
}

/** Returns those of these erasures that the ledger may not contain. */
export function listUnrecorded(tx: Tx, { bucket, ids }: Works): Promise<readonly PendingErasure[]> {
  return tx.rows(sql<PendingErasure>`
    select bucket, article_id, erased_at
    from pending_erasures
    where bucket = ${bucket} and article_id = any(${ids}) and recorded_at is null
    order by article_id`);
}

/** Stores that the ledger in the media store contains these erasures. */
export function setRecorded(tx: Tx, { bucket, ids }: Works, now: Date): Promise<number> {
  return tx.run(sql`
    update pending_erasures
    set recorded_at = ${now.toISOString()}
    where bucket = ${bucket} and article_id = any(${ids}) and recorded_at is null`);
}

/** Lists erasures of before that time, oldest ids of each bucket first. */
export function listPendingErasures(
  db: Db,
  before: Date,
  limit: number,
): Promise<readonly (PendingErasure & { readonly recorded: boolean })[]> {
  return db.rows(sql<PendingErasure & { recorded: boolean }>`
    -- every bucket: recurring work in the background
    select bucket, article_id, erased_at, recorded_at is not null as recorded
    from pending_erasures
    where erased_at < ${before.toISOString()}
    order by bucket, article_id
    limit ${limit}`);
}

/** Deletes erasures that every copy of the ledger contains. */
export function deletePendingErasures(tx: Tx, { bucket, ids }: Works): Promise<number> {
  return tx.run(sql`
    delete from pending_erasures
    where bucket = ${bucket} and article_id = any(${ids})`);
}

/** Counts erasures of before that time that are not in every copy of the ledger. */
export async function countPendingErasures(db: Db, before: Date): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: the operator's check
    select count(*)::float8 as count
    from pending_erasures
    where erased_at < ${before.toISOString()}`);
  return row?.count ?? 0;
}
