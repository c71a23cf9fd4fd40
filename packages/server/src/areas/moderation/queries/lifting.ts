// Statements that find the actions in force on a target, and lift one of them.
import type { ModerationAction, ModerationSource, ReasonCode } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { Target } from './decisions.ts';

export interface InForceRow {
  readonly id: string;
  readonly action: ModerationAction;
  readonly source: ModerationSource;
  readonly reason_code: ReasonCode;
  /** RFC 3339. */
  readonly created_at: string;
}

/** Returns the actions on the target that are in force, the oldest first. */
export function findInForce(db: Db, { bucket, type, id }: Target): Promise<readonly InForceRow[]> {
  return db.rows(sql<InForceRow>`
    select id, action, source, reason_code, created_at
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action in ('hide', 'remove', 'de-index', 'suspend')
      and lifted_at is null
    order by id`);
}

/** Lifts one action. */
export function setActionLifted(
  tx: Tx,
  { bucket, id }: RowKey,
  by: { readonly id: string; readonly at: string },
): Promise<number> {
  return tx.run(sql`
    update moderation_actions
    set lifted_at = ${by.at}, lifted_by_id = ${by.id}
    where bucket = ${bucket} and id = ${id} and lifted_at is null`);
}
