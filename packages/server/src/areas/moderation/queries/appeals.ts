// Statements on appeals: filing one, and the queue.
import type { ModerationAction, TargetType } from '@colophon/contract';
import { atMost, nothing, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { appealColumns } from './decisions.ts';
import type { AppealRow, AppealStatus } from './decisions.ts';

export interface AppealableRow {
  readonly id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly action: ModerationAction;
  readonly created_at: string;
  readonly lifted_at: string | null;
  /** null: there was no appeal. */
  readonly appeal_status: AppealStatus | null;
}

export function findAppealable(db: Db, { bucket, id }: RowKey): Promise<AppealableRow | undefined> {
  return db.first(sql<AppealableRow>`
    select
      id, target_type, target_id, author_id, owner_principal_id, action, created_at, lifted_at,
      appeal_status
    from moderation_actions
    where bucket = ${bucket} and id = ${id}`);
}

export interface NewAppeal extends RowKey {
  readonly action: Pick<AppealableRow, 'id' | 'target_type' | 'target_id'>;
  readonly appellantId: string;
  readonly text: string;
  readonly now: Date;
}

/** Violates appeals_action_id_key if there was an appeal against the action before. */
export function insertAppeal(tx: Tx, appeal: NewAppeal): Promise<number> {
  const { bucket, action } = appeal;
  return tx.run(sql`
    with marked as (
      update moderation_actions
      set appeal_status = 'open'
      where bucket = ${bucket} and id = ${action.id}
    )
    insert into appeals (
      bucket, id, action_id, target_type, target_id, appellant_id, text, created_at
    )
    values (
      ${bucket}, ${appeal.id}, ${action.id}, ${action.target_type}, ${action.target_id},
      ${appeal.appellantId}, ${appeal.text}, ${appeal.now.toISOString()}
    )`);
}

export interface AppealPage {
  readonly status: AppealStatus;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns appeals, oldest first. */
export function listAppeals(
  db: Db,
  { status, after, limit }: AppealPage,
): Promise<readonly AppealRow[]> {
  return db.rows(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    -- every bucket: the queue is one for all
    where p.status = ${status} ${after === undefined ? nothing : sql`and p.id > ${after}`}
    order by p.id
    ${atMost(limit + 1)}`);
}
