// GET /v1/moderation/appeals/{id}: an appeal with the context for a decision.
import { limits, operations } from '@colophon/contract';
import { isOpen } from '#articles';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { auditedTargets } from '../service/audited-reads.ts';
import { shownBefore } from '../service/revisions.ts';
import { findAppeal, findContent, findTargets, listActions } from '../queries/index.ts';
import { appealView } from '../views/appeals.ts';
import { contentView, decidedView, targetView } from '../views/reports.ts';

const most = limits.report_context_max;

export const readAppeal = implement(operations.readAppeal)(async (
  { db, caller, problem, config },
  { params: { id } },
) => {
  const bucket = bucketOf(id);
  const appeal = await findAppeal(db, { bucket, id });
  if (appeal === undefined) throw problem('not-found', 'No appeal has this id.');
  const target = { bucket, type: appeal.target_type, id: appeal.target_id };
  const [targets, content, before, actions] = await Promise.all([
    findTargets(db, [appeal]),
    findContent(db, appeal),
    shownBefore(db, appeal, appeal.acted_at),
    listActions(db, target, { before: undefined, limit: most }),
  ]);
  return {
    status: 200,
    ...auditedTargets(caller, [{ type: appeal.target_type, row: targets(appeal) }]),
    body: {
      ...appealView(appeal),
      target: {
        ...targetView(appeal, targets(appeal), isOpen),
        ...contentView(appeal, content, config),
        ...decidedView(before),
      },
      actions: actions.slice(0, most),
    },
  };
});
