// Statements that decide reports: changing one with its row of history, and closing all on one object at once.
import type { ReportCategory, ReportStatus, TargetType } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { Target } from './decisions.ts';

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

/** Who closes reports, and since when a claim of somebody else has lapsed. */
export interface Closing {
  readonly moderatorId: string;
  readonly lapsed: Date;
}

/** Returns the condition for the reports `r` on one object, in its bucket, that a moderator may close. */
export function closableOn(
  target: Pick<Target, 'type' | 'id'>,
  { moderatorId, lapsed }: Closing,
): Statement {
  return sql`r.target_type = ${target.type}
      and r.target_id = ${target.id}
      and r.status in ('open', 'reviewing')
      and (
        r.status = 'open'
        or r.claimed_by = ${moderatorId}
        or r.claimed_at <= ${timestamp(lapsed)}
      )`;
}

/**
 * Returns the reports on one object that the moderator may close, oldest first, locked until the transaction ends:
 * not those that are closed or that another moderator claimed after `lapsed`.
 */
export function lockReportsOn(
  tx: Tx,
  target: Target,
  by: Closing & { readonly limit: number },
): Promise<readonly ReportRow[]> {
  return tx.rows(sql<ReportRow>`
    select ${reportColumns}
    from reports r
    where r.bucket = ${target.bucket}
      and ${closableOn(target, by)}
    order by r.id
    ${justFirst(by.limit)}
    for no key update`);
}

export interface ReportsActioned {
  readonly bucket: number;
  readonly moderatorId: string;
  readonly actionId: string;
  readonly now: Date;
}

/** A locked report, its status before, and the id of its row of history. */
export interface ClosingReport extends Pick<ReportRow, 'id' | 'target_type' | 'target_id'> {
  readonly changeId: string;
  readonly from: ReportStatus;
}

/** Closes locked reports of one bucket as `actioned` and inserts their rows of history in one statement. */
export function setReportsActioned(
  tx: Tx,
  reports: readonly ClosingReport[],
  { bucket, moderatorId, actionId, now }: ReportsActioned,
): Promise<number> {
  const at = timestamp(now);
  return tx.run(sql`
    with closing as materialized (
      select id, change_id, from_status
      from unnest(
        ${reports.map(({ id }) => id)}::text[], ${reports.map(({ changeId }) => changeId)}::text[],
        ${reports.map(({ from }) => from)}::text[]
      ) as listed (id, change_id, from_status)
    ), changed as (
      update reports as r
      set status = 'actioned', claimed_by = null, claimed_at = null, action_id = ${actionId},
        closed_at = ${at}
      from closing
      where r.bucket = ${bucket} and r.id = closing.id and r.status in ('open', 'reviewing')
      returning r.id, r.target_type, r.target_id
    )
    insert into report_changes (
      bucket, id, report_id, target_type, target_id, from_status, to_status, moderator_id, action_id,
      created_at
    )
    select
      ${bucket}::smallint, closing.change_id, changed.id, changed.target_type, changed.target_id,
      closing.from_status, 'actioned', ${moderatorId}, ${actionId}, ${at}::timestamptz
    from changed
    join closing on closing.id = changed.id`);
}
