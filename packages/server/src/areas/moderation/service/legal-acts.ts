// Repeats removals for legal reasons of the ledger after a restore of an older backup.
import { reasonCodes } from '@colophon/contract';
import type { ReasonCode } from '@colophon/contract';
import type { LegalAct } from '#ledger';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import type { SubscriberServices } from '#outbox';
import { existsLegalActSince, findTargets, setLegalActsRecorded } from '../queries/index.ts';
import { actAsOperator, lockTarget } from './actions.ts';
import { appendAudit } from './audit.ts';

function reasonOf({ reason_code: code }: LegalAct): ReasonCode {
  // A later version may have more codes. The removal must not be lost with its reason.
  return reasonCodes.find((known) => known === code) ?? 'other';
}

/** Repeats one removal, unless the database knows of it, or of a later act on the target. */
async function removeOne(
  { db, now }: Pick<SubscriberServices, 'db' | 'now'>,
  act: LegalAct,
): Promise<boolean> {
  const { target_type: targetType, target_id: targetId } = act;
  const target = { bucket: bucketOf(targetId), type: targetType, id: targetId };
  return db.transaction(async (tx) => {
    // Locked before the check: a restoration may be committed by another host that has not recorded it yet.
    await lockTarget(tx, targetType, targetId);
    if (await existsLegalActSince(tx, target, act.acted_at)) return false;
    const at = now();
    const reasonCode = reasonOf(act);
    const { action, notify } = await actAsOperator(tx, {
      targetType,
      targetId,
      action: 'remove',
      source: 'legal',
      reasonCode,
      at: timestamp(at),
      now: at,
    });
    if (action === undefined) return false;
    // The ledger has the original, and a restoration of before the repetition must stay newer than its entry.
    void setLegalActsRecorded(tx, { bucket: target.bucket, ids: [action.id] }, at);
    await appendAudit(tx, {
      actor: 'operator',
      action: 'legal-removal',
      target_type: targetType,
      target_id: targetId,
      details: { reason_code: reasonCode, repeats: act.acted_at },
      created_at: timestamp(at),
    });
    notify();
    return true;
  });
}

/**
 * Repeats those of these removals for legal reasons that the database lacks, because it was restored from an
 * older backup. Returns how many.
 */
export async function removeAgain(
  services: Pick<SubscriberServices, 'db' | 'now'>,
  acts: readonly LegalAct[],
): Promise<number> {
  const targetOf = await findTargets(services.db, acts);
  let removed = 0;
  for (const act of acts) {
    if (targetOf(act)?.removed_legally === false && (await removeOne(services, act))) removed += 1;
  }
  return removed;
}
