// Reports and appeals that an action closes, the events for reporters and parties, and ids that put actions and changes of
// reports in the order of their locks.
import { limits } from '@colophon/contract';
import type { Tx } from '#database';
import type { NewEvent, TargetType } from '#event-log';
import { bucketOf, isId, keyOf, newId } from '#lib/id';
import {
  findReport,
  lockOpenAppeals,
  lockReport,
  lockReportsOn,
  setReport,
  setReportsActioned,
  setResolved,
} from '../queries/index.ts';
import type { AppealRow, ReportRow } from '../queries/index.ts';
import { lapsedUntil, mayAct, mayDecide, statusAt } from '../rules/reviews.ts';

/**
 * Returns the id of an action or of a change of a report. Call it once the target or report is locked: the history
 * lists them by their ids, and so in the order in which they took effect. The time of the request is from before the
 * wait for the lock.
 */
export function newIdInTurn(bucket: number, requestedAt: Date): string {
  return newId(bucket, Math.max(requestedAt.getTime(), Date.now()));
}

/**
 * Returns the event for a reporter with an account, unless the reporter decided. It does not name the
 * moderator.
 */
export function reportEvents(
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

/** The action with which a report closes. */
export interface ReportClosing {
  readonly reportId: string;
  readonly moderatorId: string;
  readonly actionId: string;
  readonly now: Date;
  /** Collects events for the reporter: the caller calls `appendEvent` once per transaction, last. */
  readonly notify: (event: NewEvent) => void;
}

/**
 * Sets a report to `actioned` in the transaction of the action, with its row of history. Returns `closed`
 * if it was decided before, or another moderator has claimed it. The audit log names the report in the
 * entry of the action.
 */
export async function closeReport(
  tx: Tx,
  { reportId, moderatorId, actionId, now, notify }: ReportClosing,
): Promise<'done' | 'missing' | 'closed'> {
  if (!isId(reportId)) return 'missing';
  const place = keyOf(reportId);
  const report = await lockReport(tx, place);
  if (report === undefined) return 'missing';
  if (!mayAct(report, moderatorId, now)) return 'closed';
  void setReport(tx, report, {
    id: newIdInTurn(place.bucket, now),
    from: statusAt(report, now),
    to: 'actioned',
    moderatorId,
    actionId,
    resolution: null,
    now,
  });
  for (const event of reportEvents(report, moderatorId, 'actioned')) notify(event);
  return 'done';
}

/**
 * Returns the reports that close with the named one, locked; undefined if the named one cannot be closed. All locks
 * are taken in the order of the ids, so that two actions never wait for each other.
 */
async function lockAllOn(
  tx: Tx,
  named: ReportRow,
  { moderatorId, now }: ReportClosing,
): Promise<readonly ReportRow[] | undefined> {
  const target = { bucket: named.bucket, type: named.target_type, id: named.target_id };
  const limit = limits.reports_at_once_max;
  const rows = await lockReportsOn(tx, target, { moderatorId, lapsed: lapsedUntil(now), limit });
  if (rows.some(({ id }) => id === named.id)) return rows;
  if (rows.length < limit) return undefined;
  const beyond = await lockReport(tx, named);
  return beyond !== undefined && mayAct(beyond, moderatorId, now) ? [...rows, beyond] : undefined;
}

/**
 * Sets a report and all others on its object to `actioned`, except those that another moderator has claimed.
 * Returns how many; otherwise as `closeReport`.
 */
export async function closeReportsOnTarget(
  tx: Tx,
  closing: ReportClosing,
): Promise<number | 'missing' | 'closed'> {
  const { reportId, moderatorId, actionId, now, notify } = closing;
  if (!isId(reportId)) return 'missing';
  const place = keyOf(reportId);
  const named = await findReport(tx, place);
  if (named === undefined) return 'missing';
  const reports = await lockAllOn(tx, named, closing);
  if (reports === undefined) return 'closed';
  const changes = reports.map((report) => ({
    ...report,
    changeId: newIdInTurn(place.bucket, now),
    from: statusAt(report, now),
  }));
  void setReportsActioned(tx, changes, { bucket: place.bucket, moderatorId, actionId, now });
  for (const report of reports)
    for (const event of reportEvents(report, moderatorId, 'actioned')) notify(event);
  return reports.length;
}

interface Outcome {
  readonly status: 'upheld' | 'rejected';
  readonly resolution: string | null;
}

/** Returns the events for the author and the author's owner. They do not name the moderator. */
export function appealEvents(
  appeal: Pick<
    AppealRow,
    'id' | 'action_id' | 'target_type' | 'target_id' | 'author_id' | 'owner_principal_id'
  >,
  { status, resolution }: Outcome,
): readonly NewEvent[] {
  const parties = new Set([appeal.author_id, appeal.owner_principal_id ?? appeal.author_id]);
  return [...parties].map((recipientId) => ({
    recipientId,
    type: 'appeal.resolved',
    actorId: null,
    subjectType: appeal.target_type,
    subjectId: appeal.target_id,
    payload: { action_id: appeal.action_id, appeal_id: appeal.id, status, resolution },
  }));
}

/** The action that restores a target, and by that upholds the appeals against actions on it. */
export interface Restoration {
  readonly targetType: TargetType;
  readonly targetId: string;
  readonly moderatorId: string;
  readonly actionId: string;
  /** The appeal that the moderator decides; null: any open one on the target. */
  readonly appealId: string | null;
  /** What the moderator says to the author with the restoration: the answer to each appeal. */
  readonly reasonText: string | null;
  readonly now: Date;
  /** Collects events for the parties: the caller calls `appendEvent` once per transaction, last. */
  readonly notify: (event: NewEvent) => void;
}

/**
 * Upholds every open appeal against actions on the target, in the transaction of the restoration, which
 * lifts all of them. Returns `missing` if the named one, or any, is not open, and `own` if the moderator took one of
 * the actions or is a party; then the caller must reject the restoration.
 */
export async function upholdOpenAppeals(
  tx: Tx,
  { targetType, targetId, moderatorId, actionId, appealId, reasonText, now, notify }: Restoration,
): Promise<'done' | 'missing' | 'own'> {
  const bucket = bucketOf(targetId);
  const appeals = await lockOpenAppeals(tx, { bucket, type: targetType, id: targetId });
  const isOpen = appeals.some(({ id }) => appealId === null || id === appealId);
  if (!isOpen) return 'missing';
  if (!appeals.every((appeal) => mayDecide(appeal, moderatorId))) return 'own';
  const outcome: Outcome = { status: 'upheld', resolution: reasonText };
  for (const appeal of appeals) {
    const place = { bucket, id: appeal.id };
    void setResolved(tx, place, { ...outcome, moderatorId, upheldActionId: actionId, now });
    for (const event of appealEvents(appeal, outcome)) notify(event);
  }
  return 'done';
}
