// POST /v1/moderation/appeals/{id}/review: another moderator rejects or upholds an appeal.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { lockScope } from '#identity';
import { keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import { appealResolved } from '../service/reviews.ts';
import { appendAudit } from '../service/audit.ts';
import { lockAppeal, setResolved } from '../queries/index.ts';
import { requireOtherModerator, requireUndecided } from '../rules/reviews.ts';

export const reviewAppeal = implement(operations.reviewAppeal)(async (
  { tx, caller, problem, now },
  { params, body },
) => {
  await lockScope(tx, caller, 'admin:moderate', now);
  const place = keyOf(params.id);
  const appeal = await lockAppeal(tx, place);
  if (appeal === undefined) throw problem('not-found', 'No appeal has this id.');
  requireOtherModerator(problem, appeal, caller.id);
  requireUndecided(problem, appeal, body.status);
  const outcome = { status: body.status, resolution: body.resolution ?? null };
  const moderatorId = caller.id;
  void setResolved(tx, place, { ...outcome, moderatorId, upheldActionId: null, now });
  await appendAudit(tx, {
    actor: caller.id,
    action: `appeal-${body.status}`,
    target_type: appeal.target_type,
    target_id: appeal.target_id,
    details: { appeal_id: appeal.id, action_id: appeal.action_id },
    created_at: timestamp(now),
  });
  appendEvent(tx, appealResolved(appeal, outcome), now);
  return {
    status: 200,
    body: { id: appeal.id, action_id: appeal.action_id, ...outcome, resolved_at: timestamp(now) },
  };
});
