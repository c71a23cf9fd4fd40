// The consequences of a decision on a report: its row of history, and the event for the reporter.
import type { Tx } from '#database';
import { isId, keyOf, newId } from '#lib/id';
import type { NewEvent } from '#event-log';
import { lockReport, setReport } from '../queries/index.ts';
import type { ReportRow } from '../queries/index.ts';
import { mayAct, statusAt } from '../rules/reports.ts';

/**
 * Returns the event for a reporter with an account, unless the reporter decided. It does not name the
 * moderator.
 */
export function reportResolved(
  report: Pick<ReportRow, 'id' | 'target_type' | 'target_id' | 'reporter_id'>,
  moderatorId: string,
  status: 'actioned' | 'rejected',
): readonly NewEvent[] {
  const { reporter_id: recipientId } = report;
  if (recipientId === null || recipientId === moderatorId) return [];
  return [
    {
      recipientId,
      type: 'report.resolved',
      actorId: null,
      subjectType: report.target_type,
      subjectId: report.target_id,
      payload: { report_id: report.id, status },
    },
  ];
}

export interface Actioned {
  readonly reportId: string;
  readonly moderatorId: string;
  readonly actionId: string;
  readonly now: Date;
  /** Collects events for the reporter: the caller calls `appendEvent` once per transaction, last. */
  readonly tell: (notice: NewEvent) => void;
}

/**
 * Sets a report to `actioned` in the transaction of the action, with its row of history. Returns `closed`
 * if it was decided before, or another moderator has claimed it. The audit log names the report in the
 * entry of the action.
 */
export async function reportActioned(
  tx: Tx,
  { reportId, moderatorId, actionId, now, tell }: Actioned,
): Promise<'done' | 'missing' | 'closed'> {
  if (!isId(reportId)) return 'missing';
  const place = keyOf(reportId);
  const report = await lockReport(tx, place);
  if (report === undefined) return 'missing';
  if (!mayAct(report, moderatorId, now)) return 'closed';
  void setReport(tx, report, {
    id: newId(place.bucket, now.getTime()),
    from: statusAt(report, now),
    to: 'actioned',
    moderatorId,
    actionId,
    resolution: null,
    now,
  });
  for (const notice of reportResolved(report, moderatorId, 'actioned')) tell(notice);
  return 'done';
}
