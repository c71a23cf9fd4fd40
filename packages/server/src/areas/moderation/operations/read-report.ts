// GET /v1/moderation/reports/{id}: a report with the context for a decision.
import { limits, operations } from '@colophon/contract';
import { isOpen } from '#articles';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { auditedTargets } from '../service/audited-reads.ts';
import { shownBefore } from '../service/revisions.ts';
import {
  findContent,
  findReport,
  findTargets,
  listActions,
  listOtherReports,
} from '../queries/index.ts';
import { contentView, reportedView, reportView, targetView } from '../views/reports.ts';

const most = limits.report_context_max;

export const readReport = implement(operations.readReport)(async (
  { db, caller, problem, now, config },
  { params },
) => {
  const report = await findReport(db, keyOf(params.id));
  if (report === undefined) throw problem('not-found', 'No report has this id.');
  const target = { bucket: report.bucket, type: report.target_type, id: report.target_id };
  const [targets, content, before, others, actions] = await Promise.all([
    findTargets(db, [report]),
    findContent(db, report),
    shownBefore(db, report, report.created_at),
    listOtherReports(db, report, most),
    listActions(db, target, { before: undefined, limit: most }),
  ]);
  const row = targets(report);
  const reader = { caller, now };
  return {
    status: 200,
    ...auditedTargets(caller, [{ type: report.target_type, row }]),
    body: {
      ...reportView(report, row, reader),
      target: {
        ...targetView(report, row, isOpen),
        ...contentView(report, content, config),
        ...reportedView(before),
      },
      other_reports: others.map((other) => reportView(other, row, reader)),
      actions: actions.slice(0, most),
    },
  };
});
