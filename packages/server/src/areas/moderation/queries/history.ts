// Statements on the history of a target: its actions, and the changes of reports on it.
import type { ReportStatus } from '@colophon/contract';
import { atMost, nothing, sql } from '#database';
import type { Db } from '#database';
import type { ActionRow, Target } from './decisions.ts';

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
