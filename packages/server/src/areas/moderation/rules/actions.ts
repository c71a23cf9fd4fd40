// The effect of an action on its target, and whom a moderator may act on. Pure.
import { moderationActions, moderationTargets } from '@colophon/contract';
import type {
  BodyOf,
  ModerationAction,
  ModerationSource,
  operations,
  ReasonCode,
  TargetType,
} from '@colophon/contract';
import type { Fault, Problems } from '#http';
import type { LockedTarget, Moderated } from '#lib/moderated';
import { isParty } from './reviews.ts';
import type { Accountable } from './reviews.ts';

export interface RequestedAction {
  readonly targetType: TargetType;
  readonly action: ModerationAction;
  readonly source: ModerationSource;
  readonly reasonCode: ReasonCode;
  /** RFC 3339. */
  readonly at: string;
}

/** Returns the faults of a body that do not depend on the target. */
export function requestFaults({
  target_type: type,
  action,
  source,
  appeal_id: appealId = null,
}: Pick<
  BodyOf<typeof operations.createModerationAction>,
  'target_type' | 'action' | 'source' | 'appeal_id'
>): readonly Fault[] {
  const faults: Fault[] = [];
  const targets: readonly TargetType[] = moderationTargets[action];
  if (!targets.includes(type)) {
    const allowed = Object.entries(moderationTargets).flatMap(([name, types]) =>
      (types as readonly TargetType[]).includes(type) ? [name] : [],
    );
    const detail = `is not allowed for this target_type: send one of ${allowed.join(', ')}`;
    faults.push({ pointer: '/action', code: 'not-for-target', detail, allowed_values: allowed });
  }
  if (source === 'appeal' && action !== 'restore') {
    const detail =
      'is allowed only with the action restore: upholding an appeal reverses an action';
    faults.push({ pointer: '/source', code: 'not-for-action', detail });
  }
  if (appealId !== null && source !== 'appeal') {
    const detail = 'is allowed only with the source appeal: leave it out';
    faults.push({ pointer: '/appeal_id', code: 'not-for-source', detail });
  }
  return faults;
}

/** The statuses in which readers see a target, or will see it after publication. */
const live: Readonly<Record<TargetType, readonly string[]>> = {
  article: ['draft', 'published'],
  comment: ['visible'],
  media: ['ready'],
  principal: ['active'],
};

/** Statuses in which the text or account is permanently gone; moderators cannot change the status. */
const final: ReadonlySet<string> = new Set(['erased', 'deleted', 'closed']);

/** Statuses that no moderator caused; a restoration returns to them. */
const notByModerator: ReadonlySet<string> = new Set([
  'pending',
  'rejected',
  'removed',
  'unpublished',
  ...final,
]);

type Effect = (
  requested: RequestedAction,
  target: LockedTarget,
  before: Moderated | undefined,
) => Moderated | undefined;

const hide: Effect = ({ targetType }, target) =>
  live[targetType].includes(target.status) ? { ...target, status: 'hidden' } : undefined;

const remove: Effect = ({ targetType, source, reasonCode, at }, target) => {
  const legal = source === 'legal';
  const { status, removed_legally } = target;
  const there = [...live[targetType], 'hidden', 'pending'].includes(status);
  if (legal ? removed_legally : removed_legally || !there) return undefined;
  return {
    ...target,
    status: final.has(status) ? status : 'removed',
    removed_at: at,
    removed_legally: legal,
    reason_code: reasonCode,
  };
};

const deindex: Effect = ({ targetType }, target) => {
  const there = [...live[targetType], 'hidden', 'suspended'].includes(target.status);
  return there && !target.deindexed ? { ...target, deindexed: true } : undefined;
};

const suspend: Effect = (_, target) =>
  target.status === 'active' ? { ...target, status: 'suspended' } : undefined;

/** Returns the status without moderation, and the time of removal by the author. */
function ownState(target: LockedTarget, before: Moderated | undefined) {
  const { status, own_status, own_removed_at } = target;
  const own = { status: own_status, removed_at: own_removed_at };
  if (status === 'hidden' || status === 'suspended') return own;
  if (before === undefined) return target;
  if (final.has(status)) return { status, removed_at: before.removed_at ?? target.removed_at };
  if (status !== 'removed') return target;
  // With a reason, it was a moderator's removal, which an upheld appeal has lifted since.
  return notByModerator.has(before.status) && before.reason_code === null ? before : own;
}

const restore: Effect = ({ source }, target, before) => {
  const { removed_legally: legally, deindexed: unlisted, reason_code: reason } = target;
  // What is gone for good stays so, and loses what moderators said of it.
  if (legally ? source !== 'legal' : final.has(target.status) && reason === null) return undefined;
  const { status, removed_at } = ownState(target, before);
  // If the author removed the target during a moderator's removal, it stays removed, by its author.
  if (status === target.status && reason === null && !legally && !unlisted) return undefined;
  return { status, removed_at, reason_code: null, deindexed: false, removed_legally: false };
};

const effects: Readonly<Record<Exclude<ModerationAction, 'warn'>, Effect>> = {
  hide,
  remove,
  'de-index': deindex,
  suspend,
  restore,
};

/**
 * Returns the state after an action; undefined if it changes nothing. `before` is the state before the
 * first removal by a moderator that was not lifted.
 */
export function stateAfter(
  requested: RequestedAction,
  target: LockedTarget,
  before: Moderated | undefined,
): Moderated | undefined {
  if (requested.action === 'warn') return target;
  return effects[requested.action](requested, target, before);
}

/** Whether an action changes something now: whatever it follows from, or only where it follows from a legal demand. */
export type Use = 'always' | 'legally';

/** Returns the actions that would change something about a target in its present state. */
export function usesOf(
  targetType: TargetType,
  state: Moderated,
): ReadonlyMap<ModerationAction, Use> {
  // Who is accountable for it, and the state that a restoration leads to, do not matter here.
  const nobody = { author_id: '', owner_principal_id: null };
  const target = { ...state, ...nobody, own_status: '', own_removed_at: null };
  const changes = (action: ModerationAction, source: ModerationSource) => {
    const requested = { targetType, action, source, reasonCode: 'other' as const, at: '' };
    return stateAfter(requested, target, undefined) !== undefined;
  };
  const fitting = moderationActions.filter((action) =>
    (moderationTargets[action] as readonly TargetType[]).includes(targetType),
  );
  const uses = new Map<ModerationAction, Use>();
  for (const action of fitting) {
    if (changes(action, 'proactive')) uses.set(action, 'always');
    else if (changes(action, 'legal')) uses.set(action, 'legally');
  }
  return uses;
}

interface InForce {
  readonly action: ModerationAction;
  readonly reason_code: ReasonCode;
  readonly created_at: string;
}

/**
 * Returns the state that actions in force give to a target, in their order. `restored` is its state without any
 * moderation.
 */
export function withActions(restored: Moderated, inForce: readonly InForce[]): Moderated {
  return inForce.reduce<Moderated>((state, { action, reason_code, created_at }) => {
    if (action === 'de-index') return { ...state, deindexed: true };
    if (final.has(state.status)) return state;
    if (action === 'hide') return { ...state, status: 'hidden' };
    return action === 'remove'
      ? { ...state, status: 'removed', removed_at: created_at, reason_code }
      : state;
  }, restored);
}

/** Returns the stored fields of a state, without any others. */
export function stateOf(target: Moderated): Moderated {
  const { status, deindexed: isDeindexed, removed_at, removed_legally, reason_code } = target;
  return { status, deindexed: isDeindexed, removed_at, removed_legally, reason_code };
}

/** Returns why an action changes nothing, and what would. */
export function whyNoChange({ action, source }: RequestedAction, target: Moderated): string {
  if (target.removed_legally) {
    if (action === 'restore' && source !== 'legal')
      return 'The target is removed for legal reasons: only `restore` with the source `legal` reverses that.';
    return 'The target is removed for legal reasons: until it is restored, other actions have no effect.';
  }
  const state = `${target.status}${target.deindexed ? ', de-indexed' : ''}`;
  if (action === 'restore' && source === 'appeal') {
    return `The target is ${state}: restore changes nothing. To uphold the appeal, send POST /v1/moderation/appeals/{id}/review with the status \`upheld\`.`;
  }
  return `The target is ${state}: ${action} changes nothing. Its history says what was done.`;
}

/** Requires that the moderator is not a party to the target. @throws forbidden */
export function requireImpartialAct(
  problem: Problems<'forbidden'>,
  target: Accountable,
  moderatorId: string,
): void {
  if (!isParty(target, moderatorId)) return;
  throw problem(
    'forbidden',
    'The target is you, your agent, or a work that you are accountable for. Another moderator must act on it.',
  );
}
