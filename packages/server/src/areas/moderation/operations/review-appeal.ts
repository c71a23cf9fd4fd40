// POST /v1/moderation/appeals/{id}/review: another moderator rejects or upholds an appeal.
import { operations } from '@colophon/contract';
import { articleChanged } from '#articles';
import type { Tx } from '#database';
import { implement } from '#http';
import { lockScope } from '#identity';
import { bucketOf, keyOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import { lockTarget } from '../service/actions.ts';
import { appendAudit } from '../service/audit.ts';
import { appealEvents } from '../service/reviews.ts';
import {
  findAppeal,
  findBeforeRemoval,
  lockAppeal,
  setActionLifted,
  setResolved,
} from '../queries/index.ts';
import type { AppealRow } from '../queries/index.ts';
import { stateAfter } from '../rules/actions.ts';
import {
  isInForce,
  requireOtherModerator,
  requireUndecided,
  whyNotUpheldByReview,
} from '../rules/reviews.ts';

type Appealed = Pick<AppealRow, 'action' | 'lifted_at' | 'source' | 'target_type' | 'target_id'>;

/**
 * Returns whether a restoration must uphold an appeal: the action is in force, and reversing it would change the
 * target, which is locked then. A legal removal in force is reversed as such.
 */
async function needsRestoration(tx: Tx, appeal: Appealed, now: Date): Promise<boolean> {
  if (!isInForce(appeal)) return false;
  const { target_type: type, target_id: id } = appeal;
  const target = { bucket: bucketOf(id), type, id };
  const [locked, before] = await Promise.all([
    lockTarget(tx, type, id),
    findBeforeRemoval(tx, target),
  ]);
  if (locked === undefined) return true;
  if (appeal.action === 'remove' && appeal.source === 'legal') return true;
  const requested = {
    targetType: type,
    action: 'restore',
    source: 'appeal',
    reasonCode: 'appeal_upheld',
    at: timestamp(now),
  } as const;
  return stateAfter(requested, locked.target, before) !== undefined;
}

/**
 * Lifts the action of an appeal alone. An article that its author removed while it was hidden stays removed, but
 * is no longer concealed. A message updates what depends on that, such as its edges.
 */
function lift(tx: Tx, appeal: AppealRow, now: Date): void {
  const { id, action_id: actionId, target_type: type, target_id: targetId } = appeal;
  void setActionLifted(tx, keyOf(actionId), { id, at: timestamp(now) });
  if (type === 'article') articleChanged(tx, keyOf(targetId), now);
}

export const reviewAppeal = implement(operations.reviewAppeal)(async (
  { tx, caller, problem, now },
  { params, body },
) => {
  await lockScope(tx, caller, 'admin:moderate', now);
  const place = keyOf(params.id);
  const named = await findAppeal(tx, place);
  if (named === undefined) throw problem('not-found', 'No appeal has this id.');
  requireOtherModerator(problem, named, caller.id);
  // Locked in the order of a restoration: the target before its appeals.
  const isReversible = body.status === 'upheld' && (await needsRestoration(tx, named, now));
  const appeal = (await lockAppeal(tx, place)) ?? named;
  requireUndecided(problem, appeal);
  if (isReversible && isInForce(appeal)) throw problem('conflict', whyNotUpheldByReview(appeal));
  const outcome = { status: body.status, resolution: body.resolution ?? null };
  const moderatorId = caller.id;
  if (body.status === 'upheld' && isInForce(appeal)) lift(tx, appeal, now);
  void setResolved(tx, place, { ...outcome, moderatorId, upheldActionId: null, now });
  await appendAudit(tx, {
    actor: caller.id,
    action: `appeal-${body.status}`,
    target_type: appeal.target_type,
    target_id: appeal.target_id,
    details: { appeal_id: appeal.id, action_id: appeal.action_id },
    created_at: timestamp(now),
  });
  appendEvent(tx, appealEvents(appeal, outcome), now);
  return {
    status: 200,
    body: { id: appeal.id, action_id: appeal.action_id, ...outcome, resolved_at: timestamp(now) },
  };
});
