// Who may decide on a report, and when. Pure.
import { limits } from '@colophon/contract';
import type { ReportStatus } from '@colophon/contract';
import type { Problems } from '#http';
import type { ReportRow, TargetRow } from '../queries/index.ts';
import { isParty } from './parties.ts';

const claimMs = limits.claim_hours * 3_600_000;

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
function objection(
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
  wish: { readonly to: 'reviewing' | 'rejected'; readonly moderatorId: string },
  now: Date,
): void {
  const detail = objection(report, wish.to, wish.moderatorId, now);
  if (detail !== undefined) throw problem('conflict', detail);
}

/**
 * Rejects decisions on reports about the moderator, their agents, or the works of either. @throws forbidden
 */
export function requireOthers(
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
