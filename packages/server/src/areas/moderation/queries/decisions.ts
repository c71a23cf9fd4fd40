// Statements of a decision: recording and lifting an action, and closing the reports and appeals that it decides.
import type {
  appealStatuses,
  ModerationAction,
  ModerationSource,
  ReasonCode,
  ReportCategory,
  ReportStatus,
  TargetType,
} from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { Moderated } from '#lib/moderated';
import { timestamp } from '#lib/timestamp';
import type { RowKey } from '#lib/id';

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
  readonly appeal_status: AppealStatus | null;
}

export interface Target extends RowKey {
  readonly type: TargetType;
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

export interface ReportRow extends RowKey {
  readonly target_type: TargetType;
  readonly target_id: string;
  readonly category: ReportCategory;
  readonly details: string | null;
  readonly reporter_id: string | null;
  readonly reporter_contact: string | null;
  /** The stored status: a claim may have lapsed. */
  readonly status: ReportStatus;
  readonly claimed_by: string | null;
  readonly claimed_at: string | null;
  readonly resolution: string | null;
  readonly action_id: string | null;
  readonly created_at: string;
  readonly closed_at: string | null;
}

export const reportColumns = sql`
    r.bucket, r.id, r.target_type, r.target_id, r.category, r.details, r.reporter_id,
    r.reporter_contact, r.status, r.claimed_by, r.claimed_at, r.resolution, r.action_id, r.created_at,
    r.closed_at`;

/**
 * Returns whether a report is on the target or, if the target is an account, on one of its works. A report has
 * the bucket of its target.
 */
export async function existsReportOn(db: Db, report: RowKey, target: Target): Promise<boolean> {
  const authorId = target.type === 'principal' ? target.id : null;
  const row = await db.first(sql<{ id: string }>`
    select r.id
    from reports r
    where r.bucket = ${report.bucket}
      and r.id = ${report.id}
      and (
        (r.target_type = ${target.type} and r.target_id = ${target.id})
        or (r.target_type = 'article' and exists (
          select 1 from articles a
          where a.bucket = r.bucket and a.id = r.target_id and a.author_id = ${authorId}
        ))
        or (r.target_type = 'comment' and exists (
          select 1 from comments c
          where c.bucket = r.bucket and c.id = r.target_id and c.author_id = ${authorId}
        ))
        or (r.target_type = 'media' and exists (
          select 1 from media m
          where m.bucket = r.bucket and m.id = r.target_id and m.owner_principal_id = ${authorId}
        ))
      )`);
  return row !== undefined;
}

export function findReport(db: Db, { bucket, id }: RowKey): Promise<ReportRow | undefined> {
  return db.first(sql<ReportRow>`
    select ${reportColumns}
    from reports r
    where r.bucket = ${bucket} and r.id = ${id}`);
}

/** Returns a report, locked until the transaction ends. */
export function lockReport(tx: Tx, { bucket, id }: RowKey): Promise<ReportRow | undefined> {
  return tx.first(sql<ReportRow>`
    select ${reportColumns}
    from reports r
    where r.bucket = ${bucket} and r.id = ${id}
    for no key update`);
}

export interface ReportChange {
  /** The id of the row of history. */
  readonly id: string;
  readonly from: ReportStatus;
  readonly to: 'reviewing' | 'actioned' | 'rejected';
  readonly moderatorId: string;
  readonly actionId: string | null;
  readonly resolution: string | null;
  readonly now: Date;
}

/** Changes the status of a locked report and inserts its row of history in one statement. */
export function setReport(
  tx: Tx,
  report: Pick<ReportRow, 'bucket' | 'id'>,
  change: ReportChange,
): Promise<number> {
  const now = timestamp(change.now);
  const claimed = change.to === 'reviewing';
  return tx.run(sql`
    with changed as (
      update reports
      set status = ${change.to},
        claimed_by = ${claimed ? change.moderatorId : null},
        claimed_at = ${claimed ? now : null},
        action_id = ${change.actionId},
        resolution = coalesce(${change.resolution}, resolution),
        closed_at = ${claimed ? null : now}
      where bucket = ${report.bucket} and id = ${report.id} and status in ('open', 'reviewing')
      returning bucket, id, target_type, target_id
    )
    insert into report_changes (
      bucket, id, report_id, target_type, target_id, from_status, to_status, moderator_id, resolution,
      action_id, created_at
    )
    select
      changed.bucket, ${change.id}, changed.id, changed.target_type, changed.target_id, ${change.from},
      ${change.to}, ${change.moderatorId}, ${change.resolution}, ${change.actionId}, ${now}
    from changed`);
}

export type AppealStatus = (typeof appealStatuses)[number];

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

export const appealColumns = sql`
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
export function lockOpenAppeals(tx: Tx, target: Target): Promise<readonly AppealRow[]> {
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
