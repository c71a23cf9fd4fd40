// Who may appeal against which action, until when, and who decides. Pure.
import { limits } from '@colophon/contract';
import type { Caller, Problems } from '#http';
import type { AppealableRow, AppealRow } from '../queries/index.ts';
import { isParty } from './parties.ts';

const dayMs = 86_400_000;

/**
 * Requires that the caller is a party to the action. For others the id does not exist.
 * @throws not-found
 */
export function requireParty<A extends Pick<AppealableRow, 'author_id' | 'owner_principal_id'>>(
  problem: Problems<'not-found'>,
  action: A | undefined,
  caller: Pick<Caller, 'id'>,
): asserts action is A {
  if (isParty(action, caller.id)) return;
  throw problem(
    'not-found',
    'No action on you, your works or those of your agents has this id. GET /v1/events shows the ids of actions.',
  );
}

/** Returns why there can be no appeal against the action; undefined if there can. */
function objection(action: AppealableRow, now: Date): string | undefined {
  if (action.appeal_status !== null)
    return `The action was already appealed: that appeal is ${action.appeal_status}.`;
  if (action.action === 'restore') return 'A restoration cannot be appealed.';
  if (action.lifted_at !== null)
    return `The action was reversed on ${action.lifted_at}: there is nothing to appeal.`;
  const until = Date.parse(action.created_at) + limits.appeal_days * dayMs;
  if (now.getTime() > until)
    return `The appeal period ended on ${new Date(until).toISOString()}, ${limits.appeal_days} days after the action.`;
  return undefined;
}

/** @throws conflict */
export function requireAppealable(
  problem: Problems<'conflict'>,
  action: AppealableRow,
  now: Date,
): void {
  const detail = objection(action, now);
  if (detail !== undefined) throw problem('conflict', detail);
}

type Appealed = Pick<AppealRow, 'moderator_id' | 'author_id' | 'owner_principal_id'>;

/** Returns whether a moderator may decide on the appeal: not the one who acted, and not a party. */
export function mayDecide(appeal: Appealed, moderatorId: string): boolean {
  return appeal.moderator_id !== moderatorId && !isParty(appeal, moderatorId);
}

/** @throws forbidden */
export function requireOtherModerator(
  problem: Problems<'forbidden'>,
  appeal: Appealed,
  moderatorId: string,
): void {
  if (mayDecide(appeal, moderatorId)) return;
  throw problem(
    'forbidden',
    'The moderator who took the action and the parties to the appeal cannot decide it.',
  );
}

/** @throws conflict */
export function requireUndecided(
  problem: Problems<'conflict'>,
  appeal: Pick<AppealRow, 'status' | 'action' | 'source' | 'lifted_at'>,
  wish: 'rejected' | 'upheld',
): void {
  if (appeal.status !== 'open')
    throw problem('conflict', `The appeal is already decided: it is ${appeal.status}.`);
  const standing = appeal.action !== 'warn' && appeal.lifted_at === null;
  if (wish === 'upheld' && standing) {
    const legally = appeal.action === 'remove' && appeal.source === 'legal';
    throw problem(
      'conflict',
      legally
        ? 'The removal is in force. Reverse it first, by POST /v1/moderation/actions with the action restore and the source legal. Then uphold the appeal.'
        : 'The action is in force. Uphold the appeal by POST /v1/moderation/actions with the action restore and the source appeal.',
    );
  }
}
