// Whether an appeal needs a restoration: not if that would change nothing, because something else has the same effect.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { findBeforeRemoval } from '../queries/index.ts';
import type { AppealRow } from '../queries/index.ts';
import { stateAfter } from '../rules/actions.ts';
import { isInForce } from '../rules/reviews.ts';
import { lockTarget } from './actions.ts';

type Appealed = Pick<AppealRow, 'action' | 'lifted_at' | 'source' | 'target_type' | 'target_id'>;

/**
 * Returns whether a restoration must uphold an appeal: the action is in force, and reversing it would change the
 * target, which is locked then. A legal removal in force is reversed as such.
 */
export async function needsRestoration(tx: Tx, appeal: Appealed, now: Date): Promise<boolean> {
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
