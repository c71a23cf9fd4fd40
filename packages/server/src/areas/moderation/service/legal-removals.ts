// Lifting a legal removal alone: what moderators had done before it applies again.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { Moderated } from '#lib/moderated';
import { findInForce, setActionLifted } from '../queries/index.ts';
import { stateAfter, withActions } from '../rules/actions.ts';
import { carryOut, recordAction } from './actions.ts';
import type { RecordedAction, Locked, NewAction } from './actions.ts';

/**
 * Carries out a restoration that lifts only the legal removal of a locked target. Returns undefined if it is not
 * removed for legal reasons.
 */
export async function liftLegalRemoval(
  tx: Tx,
  locked: Locked,
  requested: NewAction,
  before: Moderated | undefined,
): Promise<RecordedAction | undefined> {
  if (!locked.target.removed_legally) return undefined;
  const { targetType: type, targetId, id, at } = requested;
  const bucket = bucketOf(targetId);
  const inForce = await findInForce(tx, { bucket, type, id: targetId });
  const legal = inForce.findLast(({ action, source }) => action === 'remove' && source === 'legal');
  const others = inForce.filter((one) => one !== legal);
  const restored = stateAfter(requested, locked.target, before);
  if (legal === undefined || restored === undefined || others.length === 0)
    return carryOut(tx, locked, requested, before);
  void setActionLifted(tx, { bucket, id: legal.id }, { id, at });
  const after = withActions(restored, others);
  return recordAction(tx, locked, requested, { after, inForceId: others.at(-1)?.id ?? null });
}
