// Allowances per hour, day or in total: charged with their action, enforced by a constraint.
import { quotas } from '@colophon/contract';
import type { QuotaAction } from '@colophon/contract';
import type { Limits } from '#config';
import { justFirst, sql, violatedConstraint } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { Caller } from '../caller.ts';
import { problem } from '../problem.ts';

/** A `total` has one window, which never ends: its end is the last timestamp that the interface can write. */
const whole = { start: new Date(0), end: new Date('9999-12-31T23:59:59.999Z') } as const;
/** Retry-After for a total: only a deletion helps, not time. */
const totalSeconds = 86_400;

/** Returns the window of an action at a time: calendar hours and days in UTC. */
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

/** Stored bytes are counted even without limits, so that limits can be enabled later. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Returns the limit of a charge; undefined if it is not counted. */
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

/** The constraint that refuses a charge beyond the allowance. */
export const usedConstraint = 'quota_uses_used_check';

/** Returns one upsert; beyond the allowance, the check constraint refuses it and the transaction. */
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

/**
 * Returns a function that charges in a transaction, whose commit reports a refusal; `refused` is called with
 * the charge that was refused.
 */
export function chargerOf(
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
 * Subtracts the bytes of media that are no longer stored from what their owners have used. It is sent after
 * the statement that released them, so that locks are taken in the same order as for an upload.
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
      -- The owner is looked up: a join may read half of all accounts of the bucket.
      select owned.principal_id, sum(owned.byte_size)::bigint as bytes
      from (
        select
          m.byte_size,
          (
            select coalesce(p.owner_principal_id, p.id)
            from principals p
            where p.bucket = ${bucket} and p.id = m.owner_principal_id
          ) as principal_id
        from media m
        where m.bucket = ${bucket} and m.id = any(${ids})
      ) as owned
      group by 1
    ) as freed
    where q.bucket = ${bucket}
      and q.principal_id = freed.principal_id
      and q.action = 'media.total_bytes'
      and q.window_start = ${whole.start.toISOString()}`);
}

/** Finds what is used of an allowance in its current window. */
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

/** Returns what is refused, and what to do about it. */
function refusalOf({ action, amount, limit, now }: Charge, remaining: number): string {
  const { window } = quotas[action];
  const isTotal = window === 'total';
  const of = isTotal ? action : `${action} in this ${window}`;
  if (amount > limit)
    return `This needs ${amount} of the allowance for ${of}, which is ${limit} in all: send less. Waiting does not help.`;
  // In a race, what is left is not known.
  const left = remaining > 0 ? `${remaining} of ${limit} are left` : 'less is left';
  const what =
    remaining > 0 || amount > 1
      ? `This needs ${amount} of the allowance for ${of}, and ${left}: send less, or`
      : `The allowance of ${limit} for ${of} is used up:`;
  return isTotal
    ? `${what} delete objects that you no longer need. Waiting does not help.`
    : `${what} wait for the next ${window}, which begins at ${windowAt(action, now).end.toISOString()}.`;
}

/** Returns 429. `remaining`: what is left, which may be something where more than one is asked for. */
export function quotaExceeded(charge: Charge, remaining = 0) {
  const { action, limit, now } = charge;
  const { end } = windowAt(action, now);
  const { window } = quotas[action];
  const left = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
  return problem('quota-exceeded', refusalOf(charge, remaining), {
    quota: { action, limit, remaining, window, reset_at: end.toISOString() },
    retry_after_seconds: window === 'total' ? totalSeconds : left,
  });
}

/**
 * Returns a function that checks, before costly work, that this much is left of the caller's allowance.
 * @throws quota-exceeded
 */
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
    const remaining = Math.max(0, limit - (use?.used ?? 0));
    if (amount > remaining) throw quotaExceeded(charge, remaining);
  };
}

/** Deletes the quota uses of a closed account. */
export function deleteQuotaUses(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    delete from quota_uses
    where bucket = ${bucket} and principal_id = ${id}`);
}

/** Deletes up to `limit` windows that began before a time, and returns how many. A total has no end and stays. */
export function deleteEndedWindows(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    -- every bucket: swept by time
    with old as materialized (
      select bucket, principal_id, action, window_start
      from quota_uses
      where window_start > ${whole.start.toISOString()} and window_start < ${before.toISOString()}
      ${justFirst(limit)}
    )
    delete from quota_uses
    using old
    where quota_uses.bucket = old.bucket
      and quota_uses.principal_id = old.principal_id
      and quota_uses.action = old.action
      and quota_uses.window_start = old.window_start`);
}
