// GET /v1/moderation/reports: the queue of reports.
import { operations } from '@colophon/contract';
import { isOpen } from '#articles';
import { implement, limitOf, pageOf } from '#http';
import { auditedTargets } from '../service/audited-reads.ts';
import { findTargets, listReports as listQueue } from '../queries/index.ts';
import { lapsedUntil } from '../rules/reviews.ts';
import { reportView, targetView } from '../views/reports.ts';

export const listReports = implement(operations.listReports)(async (
  { db, caller, now },
  { query },
) => {
  const limit = limitOf(query);
  const filters = {
    status: query.status,
    category: query.category,
    targetType: query.target_type,
    claimedBy: query.claimed_by === undefined ? undefined : caller.id,
    lapsed: lapsedUntil(now),
  };
  const rows = await listQueue(db, filters, { cursor: query.cursor, limit });
  const targets = await findTargets(db, rows.slice(0, limit));
  const shown = rows.slice(0, limit).map((row) => ({ type: row.target_type, row: targets(row) }));
  return {
    status: 200,
    ...auditedTargets(caller, shown),
    body: pageOf(rows, limit, {
      view: (row) => ({
        ...reportView(row, targets(row), { caller, now }),
        target: targetView(row, targets(row), isOpen),
      }),
      cursor: (row) => row.id,
    }),
  };
});
