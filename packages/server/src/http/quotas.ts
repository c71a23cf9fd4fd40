// Allowances per hour and day: charged in the transaction of their action, refused by a constraint.
import { quotas } from '@colophon/contract';
import type { QuotaAction } from '@colophon/contract';
import type { Limits } from '#config';
import { sql } from '#database';
import type { Db, Statement } from '#database';
import type { Caller } from './caller.ts';
import { problem } from './problem.ts';

/** Calendar hours and days in UTC. */
export function windowAt(
  action: QuotaAction,
  now: Date,
): { readonly start: Date; readonly end: Date } {
  const length = quotas[action].window === 'hour' ? 3_600_000 : 86_400_000;
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

/** What was used of an allowance in its present window. */
function findUse(
  caller: Caller,
  { action, now }: Pick<Charge, 'action' | 'now'>,
): Statement<{ readonly used: number }> {
  return sql<{ readonly used: number }>`
    select used
    from quota_uses
    where bucket = ${caller.bucket}
      and principal_id = ${caller.ownerId ?? caller.id}
      and action = ${action}
      and window_start = ${windowAt(action, now).start.toISOString()}`;
}

export function quotaExceeded(charge: Charge) {
  const { end } = windowAt(charge.action, charge.now);
  const { window } = quotas[charge.action];
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

/** Looks whether that much is left of the caller's allowance, before work that costs. @throws quota-exceeded */
export function allowanceLeft({
  db,
  limits,
  caller,
  now,
}: {
  readonly db: Db;
  readonly limits: Limits;
  readonly caller: Caller | null;
  readonly now: Date;
}) {
  return async (action: QuotaAction, amount: number): Promise<void> => {
    if (caller === null || limits.off) return;
    const limit = allowanceOf(limits, action, caller.trustLevel);
    const charge = { action, amount, limit, now };
    const use = await db.first(findUse(caller, charge));
    if ((use?.used ?? 0) + amount > limit) throw quotaExceeded(charge);
  };
}
