// POST /v1/moderation/reports/{id}/review: claims a report, or closes it without an action.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { lockScope } from '#identity';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import { appendAudit } from '../service/audit.ts';
import { newIdInTurn, reportEvents } from '../service/reviews.ts';
import { findTargets, lockReport, setReport } from '../queries/index.ts';
import { requireImpartialReview, requireReviewable, statusAt } from '../rules/reviews.ts';

export const reviewReport = implement(operations.reviewReport)(async (
  { tx, caller, problem, now },
  { params, body },
) => {
  const place = keyOf(params.id);
  const { status: to } = body;
  const [report] = await Promise.all([
    lockReport(tx, place),
    lockScope(tx, caller, 'admin:moderate', now),
  ]);
  if (report === undefined) throw problem('not-found', 'No report has this id.');
  const targets = await findTargets(tx, [report]);
  requireImpartialReview(problem, targets(report), caller.id);
  requireReviewable(problem, report, { to, moderatorId: caller.id }, now);
  const from = statusAt(report, now);
  void setReport(tx, report, {
    id: newIdInTurn(place.bucket, now),
    from,
    to,
    moderatorId: caller.id,
    actionId: null,
    resolution: body.resolution ?? null,
    now,
  });
  await appendAudit(tx, {
    actor: caller.id,
    action: 'review-report',
    target_type: report.target_type,
    target_id: report.target_id,
    details: { report_id: report.id, from, to },
    created_at: timestamp(now),
  });
  if (to === 'rejected') appendEvent(tx, reportEvents(report, caller.id, to), now);
  return { status: 200, body: { id: report.id, status: to } };
});
