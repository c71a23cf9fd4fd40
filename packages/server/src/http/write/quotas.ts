// Allowances per hour and day: charged in the transaction of their action, refused by a constraint.
import { quotas } from '@colophon/contract';
import type { QuotaAction } from '@colophon/contract';
import type { Limits } from '#config';
import { sql, violatedConstraint } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { Caller } from '../caller.ts';
import { problem } from '../problem.ts';

/** A `total` has one window, which never ends: the last timestamp that the interface can write. */
const whole = { start: new Date(0), end: new Date('9999-12-31T23:59:59.999Z') } as const;
/** There is nothing to wait for but a deletion. */
const totalSeconds = 86_400;

/** Calendar hours and days in UTC. */
export function windowAt(
  action: QuotaAction,
  now: Date,
): { readonly start: Date; readonly end: Date } {
  if (quotas[action].window === 'total') return whole;
  const length = quotas[action].window === 'hour' ? 3_600_000 : 86_400_000;
  const start = Math.floor(now.getTime() / length) * length;
  return { start: new Date(start), end: new Date(start + length) };
}

export function allowanceOf(limits: Limits, action: QuotaAction, trustLevel: number): number {
  return limits.quotas[action][trustLevel] ?? 0;
}

/** What is stored is counted without limits too, so that they can be switched on later. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** What a charge may not go beyond; undefined: it is not counted at all. */
function limitToCharge(
  limits: Limits,
  action: QuotaAction,
  trustLevel: number,
): number | undefined {
  if (!limits.off) return allowanceOf(limits, action, trustLevel);
  return quotas[action].window === 'total' ? unlimited : undefined;
}

export interface Charge {
  readonly action: QuotaAction;
  readonly amount: number;
  readonly limit: number;
  readonly now: Date;
}

/** Refuses what goes beyond an allowance. */
export const usedConstraint = 'quota_uses_used_check';

/** One upsert; beyond the allowance the check refuses it and the transaction. */
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

/** Charges in a transaction, whose commit reports a refusal; `refused` is told which of several charges it was. */
export function charging(
  {
    tx,
    caller,
    limits,
    now,
  }: {
    readonly tx: Tx;
    readonly caller: Caller | null;
    readonly limits: Limits;
    readonly now: Date;
  },
  refused: (charge: Charge) => void,
) {
  return (action: QuotaAction, amount = 1): void => {
    if (caller === null) return;
    const limit = limitToCharge(limits, action, caller.trustLevel);
    if (limit === undefined) return;
    const charge = { action, amount, limit, now };
    tx.run(chargeQuota(caller, charge)).catch((error: unknown) => {
      if (violatedConstraint(error) === usedConstraint) refused(charge);
    });
  };
}

/**
 * Gives bytes back to the owners of media records that hold none any more. Sent after the statement that let
 * them go, so that it takes its lock in the same order as an upload.
 */
export function releaseStored(
  tx: Tx,
  bucket: number,
  media: readonly { readonly id: string; readonly held_checksum: string | null }[],
): void {
  const ids = media.flatMap(({ id, held_checksum: held }) => (held === null ? [] : [id]));
  if (ids.length === 0) return;
  void tx.run(sql`
    update quota_uses as q
    set used = greatest(q.used - freed.bytes, 0)
    from (
      select coalesce(p.owner_principal_id, p.id) as principal_id, sum(m.byte_size)::bigint as bytes
      from media m
      join principals p on p.bucket = m.bucket and p.id = m.owner_principal_id
      where m.bucket = ${bucket} and m.id = any(${ids})
      group by 1
    ) as freed
    where q.bucket = ${bucket}
      and q.principal_id = freed.principal_id
      and q.action = 'media.total_bytes'
      and q.window_start = ${whole.start.toISOString()}`);
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
  const isTotal = window === 'total';
  const left = Math.max(1, Math.ceil((end.getTime() - charge.now.getTime()) / 1000));
  const seconds = isTotal ? totalSeconds : left;
  const detail = isTotal
    ? `The allowance of ${charge.limit} for ${charge.action} is used up. Delete what you no longer need: waiting does not help.`
    : `The allowance of ${charge.limit} for ${charge.action} in this ${window} is used up. The next ${window} begins at ${end.toISOString()}.`;
  return problem('quota-exceeded', detail, {
    quota: {
      action: charge.action,
      limit: charge.limit,
      remaining: 0,
      window,
      reset_at: end.toISOString(),
    },
    retry_after_seconds: seconds,
  });
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

/** Deletes what a closed account has used. */
export function deleteQuotaUses(
  tx: Tx,
  { bucket, id }: { readonly bucket: number; readonly id: string },
): Promise<number> {
  return tx.run(sql`
    delete from quota_uses
    where bucket = ${bucket} and principal_id = ${id}`);
}
