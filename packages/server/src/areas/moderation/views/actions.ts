// The moderators' view of actions and histories.
import type { ActionRow, ReportChangeRow } from '../queries/index.ts';

/** One entry of a history: an action, or a change of a report. */
export type HistoryRow =
  | { readonly id: string; readonly action: ActionRow }
  | { readonly id: string; readonly change: ReportChangeRow };

export function historyView(row: HistoryRow) {
  if ('action' in row)
    return { id: row.id, created_at: row.action.created_at, action: row.action, report: null };
  const { change } = row;
  return {
    id: row.id,
    created_at: change.created_at,
    action: null,
    report: {
      report_id: change.report_id,
      from: change.from_status,
      to: change.to_status,
      moderator_id: change.moderator_id,
      resolution: change.resolution,
      action_id: change.action_id,
    },
  };
}
