// Carries out an action in one transaction: its effect, its row, its reversals and its events.
import type { Tx } from '#database';
import { bucketOf, newId } from '#lib/id';
import type { Moderated } from '#lib/moderated';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { findBeforeRemoval, insertAction, setLifted } from '../queries/index.ts';
import type { ActionRow } from '../queries/index.ts';
import { stateAfter, stateOf } from '../rules/actions.ts';
import type { Wish } from '../rules/actions.ts';
import { holdTarget } from './effects.ts';
import type { Held } from './effects.ts';

export interface Deed extends Wish {
  /** The id of the action. */
  readonly id: string;
  readonly targetId: string;
  readonly reasonText: string | null;
  readonly reportId: string | null;
  /** null: the operator, on the command line. */
  readonly moderatorId: string | null;
  readonly now: Date;
}

export interface Done {
  readonly action: ActionRow;
  readonly after: Moderated;
}

/**
 * Applies an action to a locked target. Returns undefined if it would change nothing. `before` is the state
 * before the first removal in force, which a restoration needs.
 */
export function carryOut(
  tx: Tx,
  { target, put }: Held,
  deed: Deed,
  before: Moderated | undefined,
): Done | undefined {
  const after = stateAfter(deed, target, before);
  if (after === undefined) return undefined;
  const { targetType: type, targetId, now } = deed;
  const bucket = bucketOf(targetId);
  const action: ActionRow = {
    id: deed.id,
    target_type: type,
    target_id: targetId,
    action: deed.action,
    reason_code: deed.reasonCode,
    reason_text: deed.reasonText,
    source: deed.source,
    report_id: deed.reportId,
    moderator_id: deed.moderatorId,
    created_at: deed.at,
    lifted_at: null,
    lifted_by_id: null,
    appeal_status: null,
  };
  const restores = deed.action === 'restore';
  if (restores) void setLifted(tx, { bucket, type, id: targetId }, { id: action.id, at: deed.at });
  if (deed.action !== 'warn')
    put({ state: stateOf(after), actionId: restores ? null : action.id, now });
  void insertAction(tx, action, {
    bucket,
    authorId: target.author_id,
    ownerId: target.owner_principal_id,
    previous: stateOf(target),
  });
  return { action, after };
}

/** Returns events for the author and, for an agent, its owner. They do not name the moderator. */
export function actionNotices(action: ActionRow, { target }: Held): readonly NewEvent[] {
  const { author_id: author, owner_principal_id: owner } = target;
  const { reason_text } = action;
  const notice = {
    type: 'moderation.action' as const,
    actorId: null,
    subjectType: action.target_type,
    subjectId: action.target_id,
    payload: {
      action_id: action.id,
      action: action.action,
      reason_code: action.reason_code,
      ...(reason_text === null ? {} : { reason_text }),
      source: action.source,
    },
  };
  return [author, ...(owner === null ? [] : [owner])].map((recipientId) => ({
    ...notice,
    recipientId,
  }));
}

export interface Operated {
  /** undefined: no such target exists. */
  readonly before: Moderated | undefined;
  /** undefined: the action would change nothing. */
  readonly after: Moderated | undefined;
}

/** Carries out an action by the operator. The caller writes the audit log and calls `tell` last. */
export async function actAsOperator(
  tx: Tx,
  deed: Omit<Deed, 'id' | 'moderatorId' | 'reportId' | 'reasonText'>,
): Promise<Operated & { readonly tell: () => void }> {
  const { targetType: type, targetId, now } = deed;
  const bucket = bucketOf(targetId);
  const [held, removedFrom] = await Promise.all([
    holdTarget(tx, type, targetId),
    findBeforeRemoval(tx, { bucket, type, id: targetId }),
  ]);
  if (held === undefined) return { before: undefined, after: undefined, tell: () => undefined };
  const id = newId(bucket, now.getTime());
  const whole = { ...deed, id, moderatorId: null, reportId: null, reasonText: null };
  const done = carryOut(tx, held, whole, removedFrom);
  return {
    before: held.target,
    after: done?.after,
    tell: () => {
      if (done !== undefined) appendEvent(tx, actionNotices(done.action, held), now);
    },
  };
}
