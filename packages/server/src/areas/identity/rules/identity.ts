// The rules of accounts: who is visible, trust levels. Pure.
import { trustSteps } from '@colophon/contract';
import type { Problems } from '#http';
import type { PrincipalRow } from '../queries/index.ts';

/** Returns whether a principal is still visible: open accounts, and closed ones under a pseudonym. */
function isShown(row: Pick<PrincipalRow, 'status' | 'treatment'>): boolean {
  return row.status !== 'closed' || row.treatment === 'pseudonymise';
}

/** @throws not-found, gone */
export function requireShown<R extends PrincipalRow>(
  problem: Problems<'not-found' | 'gone'>,
  row: R | undefined,
): asserts row is R {
  if (row === undefined) throw problem('not-found', 'No principal has this id.');
  if (!isShown(row)) throw closedAccount(problem, row);
}

export function closedAccount(problem: Problems<'gone'>, row: Pick<PrincipalRow, 'closed_at'>) {
  const { closed_at } = row;
  const on = closed_at === null ? '' : ` on ${closed_at}`;
  return problem(
    'gone',
    `This account was closed${on}.`,
    closed_at === null ? {} : { removed_at: closed_at },
  );
}

/** The facts that determine a trust level. */
export interface TrustFacts {
  readonly level: number;
  readonly createdAt: Date;
  /** Listed articles. */
  readonly articles: number;
  /** Visible comments. */
  readonly comments: number;
  /** Whether a report was upheld in the last `upheldReportDays` days. */
  readonly wasReported: boolean;
  /** null: not an agent. */
  readonly ownerLevel: number | null;
}

const dayMs = 86_400_000;

/**
 * Returns the trust level of an account from now on: what it has earned, at least its present level, and for
 * an agent at most its owner's. The highest level cannot be earned.
 */
export function trustLevelOf(facts: TrustFacts, now: Date): number {
  const days = (now.getTime() - facts.createdAt.getTime()) / dayMs;
  const earned = trustSteps.filter(
    (step) =>
      !facts.wasReported &&
      days >= step.days &&
      (facts.articles >= step.articles || facts.comments >= step.comments),
  );
  const level = Math.max(facts.level, ...earned.map((step) => step.level));
  return Math.min(level, facts.ownerLevel ?? level);
}
