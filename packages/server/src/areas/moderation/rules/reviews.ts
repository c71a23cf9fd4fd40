// Who may decide on reports, who may appeal against actions and decide on appeals, and when. Pure.
import { limits } from '@colophon/contract';
import type { ReportStatus } from '@colophon/contract';
import type { Caller, Problems } from '#http';
import type { AppealableRow, AppealRow, ReportRow, TargetRow } from '../queries/index.ts';

const hourMs = 3_600_000;
const claimMs = limits.claim_hours * hourMs;

/** Who answers for a target: its author, and the owner if that is an agent. */
export interface Accountable {
  readonly author_id: string;
  readonly owner_principal_id: string | null;
}

/** Returns whether the target is the person, one of their agents, or a work of either. */
export function isParty(target: Accountable | undefined, personId: string): boolean {
  return target?.author_id === personId || target?.owner_principal_id === personId;
}

/** Returns the time up to which claims have lapsed at `now`. */
export function lapsedUntil(now: Date): Date {
  return new Date(now.getTime() - claimMs);
}

type Claim = Pick<ReportRow, 'status' | 'claimed_by' | 'claimed_at'>;

/** Returns whether a moderator has a claim on the report that has not lapsed. */
function isClaimed({ status, claimed_at: since }: Claim, now: Date): boolean {
  return status === 'reviewing' && since !== null && Date.parse(since) > lapsedUntil(now).getTime();
}

/** Returns the status of a report; a report whose claim has lapsed is open. */
export function statusAt(report: Claim, now: Date): ReportStatus {
  return report.status === 'reviewing' && !isClaimed(report, now) ? 'open' : report.status;
}

/** Returns the time at which the claim lapses; null if there is no claim. */
export function claimedUntil(report: Claim, now: Date): Date | null {
  if (!isClaimed(report, now) || report.claimed_at === null) return null;
  return new Date(Date.parse(report.claimed_at) + claimMs);
}

/**
 * Returns whether the moderator may close the report: it is not closed, and no other moderator has claimed
 * it.
 */
export function mayAct(report: Claim, moderatorId: string, now: Date): boolean {
  const status = statusAt(report, now);
  return status === 'open' || (status === 'reviewing' && report.claimed_by === moderatorId);
}

/** Returns why a change of status is rejected; undefined if it is allowed. */
function whyNotReviewable(
  report: Claim,
  to: 'reviewing' | 'rejected',
  moderatorId: string,
  now: Date,
): string | undefined {
  const status = statusAt(report, now);
  if (status === 'actioned' || status === 'rejected')
    return `The report is already closed: it is ${status}.`;
  if (!mayAct(report, moderatorId, now)) {
    const until = claimedUntil(report, now)?.toISOString();
    return `Another moderator has claimed the report until ${until}. Choose another report.`;
  }
  if (to === 'reviewing' && status === 'reviewing')
    return 'You have already claimed the report: reject it, or act on its target with its report_id.';
  return undefined;
}

/** @throws conflict */
export function requireReviewable(
  problem: Problems<'conflict'>,
  report: Claim,
  input: { readonly to: 'reviewing' | 'rejected'; readonly moderatorId: string },
  now: Date,
): void {
  const detail = whyNotReviewable(report, input.to, input.moderatorId, now);
  if (detail !== undefined) throw problem('conflict', detail);
}

/** Requires that the moderator is not a party to the target of a report. @throws forbidden */
export function requireImpartialReview(
  problem: Problems<'forbidden'>,
  target: TargetRow | undefined,
  moderatorId: string,
): void {
  if (!isParty(target, moderatorId)) return;
  throw problem(
    'forbidden',
    'The report is about you or a work that you are accountable for. Another moderator must decide it.',
  );
}

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

type Appealable = Pick<AppealableRow, 'action' | 'created_at' | 'lifted_at' | 'appeal_status'>;

/** Returns why there can be no appeal against the action; undefined if there can. */
function whyNotAppealable(action: Appealable, now: Date): string | undefined {
  if (action.appeal_status !== null)
    return `The action was already appealed: that appeal is ${action.appeal_status}.`;
  if (action.action === 'restore') return 'A restoration cannot be appealed.';
  if (action.lifted_at !== null)
    return `The action was reversed on ${action.lifted_at}: there is nothing to appeal.`;
  const until = Date.parse(action.created_at) + limits.appeal_days * 24 * hourMs;
  if (now.getTime() > until)
    return `The appeal period ended on ${new Date(until).toISOString()}, ${limits.appeal_days} days after the action.`;
  return undefined;
}

/** Returns whether the parties to the action can appeal now. */
export function isAppealable(action: Appealable, now: Date): boolean {
  return whyNotAppealable(action, now) === undefined;
}

/** @throws conflict */
export function requireAppealable(
  problem: Problems<'conflict'>,
  action: AppealableRow,
  now: Date,
): void {
  const detail = whyNotAppealable(action, now);
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

/** Returns whether the action of an appeal is in force. */
export function isInForce({ action, lifted_at }: Pick<AppealRow, 'action' | 'lifted_at'>): boolean {
  return action !== 'warn' && lifted_at === null;
}

/** @throws conflict */
export function requireUndecided(
  problem: Problems<'conflict'>,
  { status }: Pick<AppealRow, 'status'>,
): void {
  if (status !== 'open')
    throw problem('conflict', `The appeal is already decided: it is ${status}.`);
}

/** Returns why a review cannot uphold an appeal against an action that is in force and can be reversed. */
export function whyNotUpheldByReview({
  action,
  source,
}: Pick<AppealRow, 'action' | 'source'>): string {
  return action === 'remove' && source === 'legal'
    ? 'The removal is in force. Reverse it first, by POST /v1/moderation/actions with the action restore and the source legal. Then uphold the appeal.'
    : 'The action is in force. Uphold the appeal by POST /v1/moderation/actions with the action restore and the source appeal.';
}
