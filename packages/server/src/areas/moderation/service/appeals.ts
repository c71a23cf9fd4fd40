// The consequences of a decision on an appeal: its status, and the events for the parties.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { NewEvent, TargetType } from '#event-log';
import { lockOpenAppeals, setResolved } from '../queries/index.ts';
import type { AppealRow } from '../queries/index.ts';
import { mayDecide } from '../rules/appeals.ts';

interface Outcome {
  readonly status: 'upheld' | 'rejected';
  readonly resolution: string | null;
}

/** Returns events for the author and the author's owner. They do not name the moderator. */
export function appealResolved(
  appeal: Pick<
    AppealRow,
    'id' | 'action_id' | 'target_type' | 'target_id' | 'author_id' | 'owner_principal_id'
  >,
  { status, resolution }: Outcome,
): readonly NewEvent[] {
  const told = new Set([appeal.author_id, appeal.owner_principal_id ?? appeal.author_id]);
  return [...told].map((recipientId) => ({
    recipientId,
    type: 'appeal.resolved',
    actorId: null,
    subjectType: appeal.target_type,
    subjectId: appeal.target_id,
    payload: { action_id: appeal.action_id, appeal_id: appeal.id, status, resolution },
  }));
}

export interface Upheld {
  readonly targetType: TargetType;
  readonly targetId: string;
  readonly moderatorId: string;
  /** The id of the restoration that upholds the appeal. */
  readonly actionId: string;
  readonly now: Date;
  /** Collects events for the parties: the caller calls `appendEvent` once per transaction, last. */
  readonly tell: (notice: NewEvent) => void;
}

/**
 * Upholds every open appeal against actions on the target, in the transaction of the restoration, which
 * lifts all of them. Returns `missing` if there are no open appeals, and `own` if the moderator took one of
 * the actions or is a party; then the caller must reject the restoration.
 */
export async function appealUpheld(
  tx: Tx,
  { targetType, targetId, moderatorId, actionId, now, tell }: Upheld,
): Promise<'done' | 'missing' | 'own'> {
  const bucket = bucketOf(targetId);
  const appeals = await lockOpenAppeals(tx, { bucket, type: targetType, id: targetId });
  if (appeals.length === 0) return 'missing';
  if (!appeals.every((appeal) => mayDecide(appeal, moderatorId))) return 'own';
  const outcome: Outcome = { status: 'upheld', resolution: null };
  for (const appeal of appeals) {
    const place = { bucket, id: appeal.id };
    void setResolved(tx, place, { ...outcome, moderatorId, upheldActionId: actionId, now });
    for (const notice of appealResolved(appeal, outcome)) tell(notice);
  }
  return 'done';
}
