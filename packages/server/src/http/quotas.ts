// Allowances per hour and day: charged in the transaction of their action, refused by a constraint.
import type { QuotaAction } from '@colophon/contract';
import type { Limits } from '#config';
import { sql } from '#database';
import type { Statement } from '#database';
import type { Caller } from './caller.ts';
import { problem } from './problem.ts';

const hourly: ReadonlySet<QuotaAction> = new Set([
  'comments.create',
  'revisions.create',
  'edges.create',
]);

export function windowOf(action: QuotaAction): 'hour' | 'day' {
  return hourly.has(action) ? 'hour' : 'day';
}

/** Calendar hours and days in UTC. */
function windowAt(action: QuotaAction, now: Date): { readonly start: Date; readonly end: Date } {
  const length = windowOf(action) === 'hour' ? 3_600_000 : 86_400_000;
  const start = Math.floor(now.getTime() / length) * length;
  return { start: new Date(start), end: new Date(start + length) };
}

export function allowanceOf(limits: Limits, action: QuotaAction, trustLevel: number): number {
  return limits.quotas[action][trustLevel] ?? 0;
}

export interface Charge {
  readonly action: QuotaAction;
  readonly amount: number;
  readonly limit: number;
  readonly now: Date;
}

/** One upsert; beyond the allowance the check quota_uses_used_check refuses it and the transaction. */
export function chargeQuota(caller: Caller, charge: Charge): Statement {
  const { start } = windowAt(charge.action, charge.now);
  return sql`
    insert into quota_uses as q (bucket, principal_id, action, window_start, used, allowed)
    values (
      ${caller.bucket}, ${caller.ownerId ?? caller.id}, ${charge.action}, ${start.toISOString()},
      ${charge.amount}, ${charge.limit}
    )
    on conflict (bucket, principal_id, action, window_start) do update
    set used = q.used + excluded.used, allowed = excluded.allowed`;
}

export function quotaExceeded(charge: Charge) {
  const { end } = windowAt(charge.action, charge.now);
  const window = windowOf(charge.action);
  const seconds = Math.max(1, Math.ceil((end.getTime() - charge.now.getTime()) / 1000));
  return problem(
    'quota-exceeded',
    `The allowance of ${charge.limit} for ${charge.action} in this ${window} is used up. The next ${window} begins at ${end.toISOString()}.`,
    {
      quota: {
        action: charge.action,
        limit: charge.limit,
        remaining: 0,
        window,
        reset_at: end.toISOString(),
      },
      retry_after_seconds: seconds,
    },
  );
}
