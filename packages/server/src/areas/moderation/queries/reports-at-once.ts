// Statements that close every report on one object with one action.
import type { ReportStatus } from '@colophon/contract';
import { justFirst, sql } from '#database';
import type { Statement, Tx } from '#database';
import { timestamp } from '#lib/timestamp';
import { reportColumns } from './decisions.ts';
import type { ReportRow, Target } from './decisions.ts';

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
