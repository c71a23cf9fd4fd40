// Carries out an action in one transaction: locks the target, sets its state, and records the action.
import type { TargetType } from '@colophon/contract';
import { articleChanged, lockModeratedArticle, setModeratedArticle } from '#articles';
import type { Tx } from '#database';
import { appendEvent } from '#event-log';
import type { NewEvent } from '#event-log';
import { lockModeratedPrincipal, principalChanged, setModeratedPrincipal } from '#identity';
import type { LegalAct } from '#ledger';
import { bucketOf, keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import type { LockedTarget, Moderated, ModeratedChange } from '#lib/moderated';
import { lockModeratedMedia, setModeratedMedia } from '#media';
import { appendMessage } from '#outbox';
import { commentModerated, lockModeratedComment, setModeratedComment } from '#social';
import { findBeforeRemoval, insertAction, setLifted } from '../queries/index.ts';
import type { ActionRow } from '../queries/index.ts';
import { stateAfter, stateOf } from '../rules/actions.ts';
import type { RequestedAction } from '../rules/actions.ts';
import { newIdInTurn } from './reviews.ts';

/** A target that is locked until the transaction ends. */
export interface Locked {
  readonly target: LockedTarget;
  /** Sets the state that results from an action, and appends the messages of the target's area. */
  readonly set: (change: ModeratedChange) => void;
}

type Lock = (tx: Tx, key: RowKey) => Promise<Locked | undefined>;

/** Each area owns the statements on its tables, and its messages. */
const locks: Readonly<Record<TargetType, Lock>> = {
  article: async (tx, key) => {
    const target = await lockModeratedArticle(tx, key);
    return (
      target && {
        target,
        set: ({ state, actionId, now }) => {
          void setModeratedArticle(tx, key, state, actionId);
          articleChanged(tx, key, now);
        },
      }
    );
  },
  comment: async (tx, key) => {
    const target = await lockModeratedComment(tx, key);
    return (
      target && {
        target,
        set: ({ state, actionId, now }) => {
          void setModeratedComment(tx, key, state, actionId);
          commentModerated(tx, { ...target, id: key.id }, state.status, now);
        },
      }
    );
  },
  principal: async (tx, key) => {
    const target = await lockModeratedPrincipal(tx, key);
    return (
      target && {
        target,
        set: ({ state, now }) => {
          void setModeratedPrincipal(tx, key, state);
          principalChanged(tx, key, now);
        },
      }
    );
  },
  media: async (tx, key) => {
    const target = await lockModeratedMedia(tx, key);
    return target && { target, set: ({ state }) => void setModeratedMedia(tx, key, state) };
  },
};

/** Locks the target and returns it; undefined if it does not exist. */
export function lockTarget(tx: Tx, type: TargetType, id: string): Promise<Locked | undefined> {
  return locks[type](tx, keyOf(id));
}

export interface NewAction extends RequestedAction {
  readonly id: string;
  readonly targetId: string;
  readonly reasonText: string | null;
  readonly reportId: string | null;
  /** null: the operator, on the command line. */
  readonly moderatorId: string | null;
  readonly now: Date;
}

/** An action that was carried out, and the state of its target afterwards. */
export interface RecordedAction {
  readonly action: ActionRow;
  readonly after: Moderated;
}

/**
 * Applies an action to a locked target. Returns undefined if it would change nothing. `before` is the state
 * before the first removal in force, which a restoration needs.
 */
export function carryOut(
  tx: Tx,
  locked: Locked,
  requested: NewAction,
  before: Moderated | undefined,
): RecordedAction | undefined {
  const after = stateAfter(requested, locked.target, before);
  if (after === undefined) return undefined;
  const { id, action, targetType: type, targetId, at } = requested;
  const restores = action === 'restore';
  if (restores) void setLifted(tx, { bucket: bucketOf(targetId), type, id: targetId }, { id, at });
  return recordAction(tx, locked, requested, { after, inForceId: restores ? null : id });
}

interface Outcome {
  readonly after: Moderated;
  /** The last action that is in force afterwards; null when there is none. */
  readonly inForceId: string | null;
}

/** Sets the state of a locked target, and records the action that leads to it. */
export function recordAction(
  tx: Tx,
  { target, set }: Locked,
  requested: NewAction,
  { after, inForceId }: Outcome,
): RecordedAction {
  const { targetType: type, targetId, now } = requested;
  const bucket = bucketOf(targetId);
  const action: ActionRow = {
    id: requested.id,
    target_type: type,
    target_id: targetId,
    action: requested.action,
    reason_code: requested.reasonCode,
    reason_text: requested.reasonText,
    source: requested.source,
    report_id: requested.reportId,
    moderator_id: requested.moderatorId,
    created_at: requested.at,
    lifted_at: null,
    lifted_by_id: null,
    appeal_status: null,
  };
  if (action.action !== 'warn') set({ state: stateOf(after), actionId: inForceId, now });
  void insertAction(tx, action, {
    bucket,
    authorId: target.author_id,
    ownerId: target.owner_principal_id,
    previous: stateOf(target),
  });
  // For its entry in the transparency log.
  const payload = { action_id: action.id };
  void appendMessage(tx, { bucket, type: 'action.recorded', payload }, now);
  return { action, after };
}

/** Returns events for the author and, for an agent, its owner. They do not name the moderator. */
export function actionEvents(action: ActionRow, { target }: Locked): readonly NewEvent[] {
  const { author_id: author, owner_principal_id: owner } = target;
  const { reason_text } = action;
  const event = {
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
    ...event,
    recipientId,
  }));
}

/** What an action by the operator did. */
export interface OperatorOutcome {
  /** undefined: nothing was done. */
  readonly action: ActionRow | undefined;
  /** undefined: no such target exists. */
  readonly before: Moderated | undefined;
  /** undefined: the action would change nothing. */
  readonly after: Moderated | undefined;
}

type CarryOut = (
  tx: Tx,
  locked: Locked,
  requested: NewAction,
  before: Moderated | undefined,
) => RecordedAction | undefined | Promise<RecordedAction | undefined>;

/**
 * Carries out an action by the operator, in the way of moderators unless `carry` is another one. The caller writes
 * the audit log and calls `notify` last.
 */
export async function actAsOperator(
  tx: Tx,
  requested: Omit<NewAction, 'id' | 'moderatorId' | 'reportId' | 'reasonText'>,
  carry: CarryOut = carryOut,
): Promise<OperatorOutcome & { readonly notify: () => void }> {
  const { targetType: type, targetId, now } = requested;
  const bucket = bucketOf(targetId);
  const [locked, removedFrom] = await Promise.all([
    lockTarget(tx, type, targetId),
    findBeforeRemoval(tx, { bucket, type, id: targetId }),
  ]);
  if (locked === undefined) {
    return { action: undefined, before: undefined, after: undefined, notify: () => undefined };
  }
  const id = newIdInTurn(bucket, now);
  const whole = { ...requested, id, moderatorId: null, reportId: null, reasonText: null };
  const done = await carry(tx, locked, whole, removedFrom);
  return {
    action: done?.action,
    before: locked.target,
    after: done?.after,
    notify: () => {
      if (done !== undefined) appendEvent(tx, actionEvents(done.action, locked), now);
    },
  };
}

/** Returns the entries of the ledger that record an action: one if it removed for legal reasons or ended that. */
export function legalActsOf(row: ActionRow): readonly LegalAct[] {
  const { target_type, target_id, action, reason_code, source } = row;
  if (source !== 'legal' || (action !== 'remove' && action !== 'restore')) return [];
  return [{ target_type, target_id, action, reason_code, acted_at: row.created_at }];
}
