// Statements on removals for legal reasons and their ends: which a copy of the ledger may not contain.
import type { ReasonCode, TargetType } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { Target } from './decisions.ts';

export interface LegalActRow extends RowKey {
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: 'remove' | 'restore';
  readonly reason_code: ReasonCode;
  /** RFC 3339. */
  readonly acted_at: string;
}

/** Lists unrecorded acts of before that time, oldest first. */
export function listUnrecordedLegalActs(
  db: Db,
  before: Date,
  limit: number,
): Promise<readonly LegalActRow[]> {
  return db.rows(sql<LegalActRow>`
    -- every bucket: recurring work in the background
    select bucket, id, target_type, target_id, action, reason_code, created_at as acted_at
    from moderation_actions
    where recorded_at is null
      and source = 'legal'
      and action in ('remove', 'restore')
      and created_at < ${before.toISOString()}
    order by created_at, id
    limit ${limit}`);
}

/** Stores that every copy of the ledger contains these acts. */
export function setLegalActsRecorded(
  tx: Tx,
  { bucket, ids }: { readonly bucket: number; readonly ids: readonly string[] },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update moderation_actions
    set recorded_at = ${now.toISOString()}
    where bucket = ${bucket} and id = any(${ids}) and recorded_at is null`);
}

/** Counts unrecorded acts of before that time. */
export async function countUnrecordedLegalActs(db: Db, before: Date): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    -- every bucket: the operator's check
    select count(*)::float8 as count
    from moderation_actions
    where recorded_at is null
      and source = 'legal'
      and action in ('remove', 'restore')
      and created_at < ${before.toISOString()}`);
  return row?.count ?? 0;
}

/** Returns whether the target was removed for legal reasons, or that was ended, at that time or later. */
export async function existsLegalActSince(
  tx: Tx,
  { bucket, type, id }: Target,
  since: string,
): Promise<boolean> {
  const row = await tx.first(sql<{ id: string }>`
    select id
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and source = 'legal'
      and action in ('remove', 'restore')
      and created_at >= ${since}
    order by id
    limit 1`);
  return row !== undefined;
}
