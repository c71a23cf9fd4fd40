// Statements on appeals.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import { atMost, nothing, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export type AppealStatus = (typeof appealStatuses)[number];

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

export interface AppealRow {
  readonly id: string;
  readonly status: AppealStatus;
  readonly appellant_id: string;
  readonly author_id: string;
  readonly owner_principal_id: string | null;
  readonly text: string;
  readonly action_id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly reason_text: string | null;
  readonly source: ModerationSource;
  readonly moderator_id: string | null;
  readonly acted_at: string;
  readonly lifted_at: string | null;
  readonly resolution: string | null;
  readonly resolved_by: string | null;
  readonly created_at: string;
  readonly resolved_at: string | null;
}

const appealColumns = sql`
  p.id, p.status, p.appellant_id, p.text, p.action_id, p.target_type, p.target_id,
  a.author_id, a.owner_principal_id, a.action, a.reason_code, a.reason_text, a.source,
  a.moderator_id, a.created_at as acted_at, a.lifted_at, p.resolution, p.resolved_by, p.created_at, p.resolved_at`;

/** Returns an appeal with its action. */
export function findAppeal(db: Db, { bucket, id }: RowKey): Promise<AppealRow | undefined> {
  return db.first(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${bucket} and p.id = ${id}`);
}

/** Returns an appeal with its action, locked until the commit. */
export function lockAppeal(tx: Tx, { bucket, id }: RowKey): Promise<AppealRow | undefined> {
  return tx.first(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${bucket} and p.id = ${id}
    for update of p`);
}

/** Returns the open appeals against actions on one target, locked until the commit. */
export function lockOpenAppeals(
  tx: Tx,
  target: { readonly bucket: number; readonly type: TargetType; readonly id: string },
): Promise<readonly AppealRow[]> {
  return tx.rows(sql<AppealRow>`
    select ${appealColumns}
    from appeals p
    join moderation_actions a on a.bucket = p.bucket and a.id = p.action_id
    where p.bucket = ${target.bucket}
      and p.target_type = ${target.type}
      and p.target_id = ${target.id}
      and p.status = 'open'
    order by p.id
    for update of p`);
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

export interface Resolution {
  readonly status: 'upheld' | 'rejected';
  readonly resolution: string | null;
  readonly moderatorId: string;
  readonly upheldActionId: string | null;
  readonly now: Date;
}

/** Resolves an open appeal and records its status in the action. 0 rows: it was decided before. */
export function setResolved(tx: Tx, { bucket, id }: RowKey, outcome: Resolution): Promise<number> {
  return tx.run(sql`
    with resolved as (
      update appeals
      set status = ${outcome.status}, resolution = ${outcome.resolution},
        resolved_by = ${outcome.moderatorId}, upheld_action_id = ${outcome.upheldActionId},
        resolved_at = ${outcome.now.toISOString()}
      where bucket = ${bucket} and id = ${id} and status = 'open'
      returning action_id
    )
    update moderation_actions as a
    set appeal_status = ${outcome.status}
    from resolved
    where a.bucket = ${bucket} and a.id = resolved.action_id`);
}
