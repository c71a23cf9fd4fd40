// GET /v1/principals/{id}/quota: the remainder of each allowance in its current window.
import { operations, quotaActions, quotas } from '@colophon/contract';
import type { QuotaAction } from '@colophon/contract';
import type { Config } from '#config';
import type { Db } from '#database';
import { allowanceOf, implement, requireScope, windowAt } from '#http';
import { keyOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import { timestamp } from '#lib/timestamp';
import { findAllowance } from '../queries/index.ts';
import type { AllowanceRow } from '../queries/index.ts';

function entryOf(config: Config, row: AllowanceRow, action: QuotaAction, now: Date) {
  const limit = allowanceOf(config.limits, action, row.trust_level);
  // With LIMITS=off nothing is charged, and earlier uses do not count.
  const used = config.limits.off ? 0 : (row.used?.[action] ?? 0);
  return {
    action,
    limit,
    remaining: Math.max(0, limit - used),
    window: quotas[action].window,
    reset_at: timestamp(windowAt(action, now).end),
  };
}

/** Returns the remainder of each allowance of a principal, or undefined when no such principal is open. */
export async function allowancesOf(db: Db, config: Config, key: RowKey, now: Date) {
  const starts = new Map(quotaActions.map((action) => [action, windowAt(action, now).start]));
  const row = await findAllowance(db, key, starts);
  if (row === undefined || row.status === 'closed') return undefined;
  return { row, quotas: quotaActions.map((action) => entryOf(config, row, action, now)) };
}

export const readQuota = implement(operations.readQuota)(async (
  { db, caller, problem, config, now },
  { params },
) => {
  const isOwn = params.id === caller.id;
  if (!isOwn) requireScope(caller, 'agents:read');
  const key = keyOf(params.id);
  const found = await allowancesOf(db, config, key, now);
  if (found === undefined) throw problem('not-found', 'No principal has this id.');
  const { row, quotas: entries } = found;
  if (!isOwn && row.owner_principal_id !== caller.id) {
    throw problem(
      'forbidden',
      'You can read your own allowances and those of agents that you own.',
    );
  }
  return {
    status: 200,
    body: {
      principal_id: params.id,
      trust_level: row.trust_level,
      quotas: entries,
    },
  };
});
