// Statements on moderation actions: recording them, lifting them, and the history of a target.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  ReportStatus,
  TargetType,
} from '@colophon/contract';
import { atMost, nothing, sql } from '#database';
import type { Db, Tx } from '#database';
import type { Moderated } from '#lib/moderated';

export interface ActionRow {
  readonly id: string;
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly reason_text: string | null;
  readonly source: ModerationSource;
  readonly report_id: string | null;
  /** null: the operator. */
  readonly moderator_id: string | null;
  readonly created_at: string;
  readonly lifted_at: string | null;
  readonly lifted_by_id: string | null;
  readonly appeal_status: (typeof appealStatuses)[number] | null;
}

export interface Target {
  readonly bucket: number;
  readonly type: TargetType;
  readonly id: string;
}

/** What is stored of the target with the action. */
export interface Acted {
  readonly bucket: number;
  readonly authorId: string;
  readonly ownerId: string | null;
  readonly previous: Moderated;
}

export function insertAction(tx: Tx, row: ActionRow, acted: Acted): Promise<number> {
  return tx.run(sql`
    insert into moderation_actions (
      bucket, id, target_type, target_id, author_id, owner_principal_id, action, reason_code,
      reason_text, source, report_id, moderator_id, previous, created_at
    )
    values (
      ${acted.bucket}, ${row.id}, ${row.target_type}, ${row.target_id}, ${acted.authorId},
      ${acted.ownerId}, ${row.action}, ${row.reason_code}, ${row.reason_text}, ${row.source},
      ${row.report_id}, ${row.moderator_id}, ${JSON.stringify(acted.previous)}, ${row.created_at}
    )`);
}

/** Returns the state before the first removal by a moderator that was not lifted. */
export async function findBeforeRemoval(
  db: Db,
  { bucket, type, id }: Target,
): Promise<Moderated | undefined> {
  const row = await db.first(sql<{ previous: Moderated }>`
    select previous
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action = 'remove'
      and lifted_at is null
    order by id
    limit 1`);
  return row?.previous;
}

/** Lifts every action on the target that is in force. */
export function setLifted(
  tx: Tx,
  { bucket, type, id }: Target,
  by: { readonly id: string; readonly at: string },
): Promise<number> {
  return tx.run(sql`
    update moderation_actions
    set lifted_at = ${by.at}, lifted_by_id = ${by.id}
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id}
      and action in ('hide', 'remove', 'de-index', 'suspend')
      and lifted_at is null`);
}

export interface HistoryPage {
  readonly before: string | undefined;
  readonly limit: number;
}

/** Returns actions on a target, newest first. */
export function listActions(
  db: Db,
  { bucket, type, id }: Target,
  { before, limit }: HistoryPage,
): Promise<readonly ActionRow[]> {
  return db.rows(sql<ActionRow>`
    select
      id, target_type, target_id, action, reason_code, reason_text, source, report_id, moderator_id,
      created_at, lifted_at, lifted_by_id, appeal_status
    from moderation_actions
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id} ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc
    ${atMost(limit + 1)}`);
}

export interface ReportChangeRow {
  readonly id: string;
  readonly created_at: string;
  readonly report_id: string;
  /** null: the report was filed. */
  readonly from_status: ReportStatus | null;
  readonly to_status: ReportStatus;
  readonly moderator_id: string | null;
  readonly resolution: string | null;
  readonly action_id: string | null;
}

/** Returns the changes of reports on a target, newest first. */
export function listReportChanges(
  db: Db,
  { bucket, type, id }: Target,
  { before, limit }: HistoryPage,
): Promise<readonly ReportChangeRow[]> {
  return db.rows(sql<ReportChangeRow>`
    select
      id, created_at, report_id, from_status, to_status, moderator_id, resolution, action_id
    from report_changes
    where bucket = ${bucket}
      and target_type = ${type}
      and target_id = ${id} ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc
    ${atMost(limit + 1)}`);
}
