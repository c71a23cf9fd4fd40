// Statements on reports: filing one, and the queue.
import type { ReportCategory, ReportStatus, TargetType } from '@colophon/contract';
import { atMost, whenGiven, justFirst, nothing, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import { timestamp } from '#lib/timestamp';
import type { RowKey } from '#lib/id';
import { reportColumns } from './decided-reports.ts';
import type { ReportRow } from './decided-reports.ts';

export interface NewReport extends RowKey {
  readonly targetType: TargetType;
  readonly targetId: string;
  readonly category: ReportCategory;
  readonly details: string | null;
  /** null: a reporter without an account. */
  readonly reporterId: string | null;
  readonly reporterContact: string | null;
  /** The id of its first row of history. */
  readonly changeId: string;
  readonly now: Date;
}

/**
 * Inserts a report. The target is not read, so the reporter learns nothing about it, not even from the time
 * taken.
 */
export function insertReport(tx: Tx, report: NewReport): Promise<number> {
  const now = timestamp(report.now);
  return tx.run(sql`
    with filed as (
      insert into reports (
        bucket, id, target_type, target_id, category, details, reporter_id, reporter_contact, created_at
      )
      values (
        ${report.bucket}, ${report.id}, ${report.targetType}, ${report.targetId}, ${report.category},
        ${report.details}, ${report.reporterId}, ${report.reporterContact}, ${now}
      )
    )
    insert into report_changes (
      bucket, id, report_id, target_type, target_id, to_status, created_at
    )
    values (
      ${report.bucket}, ${report.changeId}, ${report.id}, ${report.targetType}, ${report.targetId},
      'open', ${now}
    )`);
}

export interface ReportFilters {
  readonly status: ReportStatus | undefined;
  readonly category: ReportCategory | undefined;
  readonly targetType: TargetType | undefined;
  readonly claimedBy: string | undefined;
  /** Claims made up to this time have lapsed. */
  readonly lapsed: Date;
}

export interface ReportPage {
  /** The last id of the previous page. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

function inState({ status, lapsed }: ReportFilters): Statement {
  const until = timestamp(lapsed);
  if (status === undefined) return sql`r.status is not null`;
  if (status === 'open') {
    return sql`r.status in ('open', 'reviewing')
      and (r.status = 'open' or r.claimed_at <= ${until})`;
  }
  if (status === 'reviewing') return sql`r.status = 'reviewing' and r.claimed_at > ${until}`;
  return sql`r.status = ${status}`;
}

/** Returns reports: open ones oldest first, all others newest first. */
export function listReports(
  db: Db,
  filters: ReportFilters,
  page: ReportPage,
): Promise<readonly ReportRow[]> {
  const oldestFirst = filters.status === 'open';
  return db.rows(sql<ReportRow>`
    -- every bucket: the queue is one, whatever it is about
    select ${reportColumns}
    from reports r
    ${sql.where([
      inState(filters),
      whenGiven(filters.category, (category) => sql`r.category = ${category}`),
      whenGiven(filters.targetType, (type) => sql`r.target_type = ${type}`),
      whenGiven(
        filters.claimedBy,
        (id) => sql`r.claimed_by = ${id} and r.claimed_at > ${timestamp(filters.lapsed)}`,
      ),
      whenGiven(page.cursor, (id) => (oldestFirst ? sql`r.id > ${id}` : sql`r.id < ${id}`)),
    ])}
    order by r.id ${oldestFirst ? nothing : sql`desc`}
    ${atMost(page.limit + 1)}`);
}

/** Returns the other reports on the target of a report, newest first. */
export function listOtherReports(
  db: Db,
  report: Pick<ReportRow, 'bucket' | 'id' | 'target_type' | 'target_id'>,
  limit: number,
): Promise<readonly ReportRow[]> {
  return db.rows(sql<ReportRow>`
    select ${reportColumns}
    from reports r
    where r.bucket = ${report.bucket}
      and r.target_type = ${report.target_type}
      and r.target_id = ${report.target_id}
      and r.id <> ${report.id}
    order by r.id desc
    ${justFirst(limit)}`);
}

/**
 * Deletes the contact details that a closed account and its agents left in reports: in at most `limit`
 * reports. Returns the number of reports changed.
 */
export function setContactsCleared(tx: Tx, { bucket, id }: RowKey, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: a report is stored with its target
    with people as materialized (
      select id
      from principals
      where bucket = ${bucket} and (id = ${id} or owner_principal_id = ${id})
    ), filed as materialized (
      select r.bucket, r.id
      from people
      join reports r on r.reporter_id = people.id
      where r.reporter_contact is not null
      ${justFirst(limit)}
    )
    update reports as r
    set reporter_contact = null
    from filed
    where r.bucket = filed.bucket and r.id = filed.id`);
}
