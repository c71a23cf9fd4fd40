// POST /v1/admin/principals/{id}/trust: an administrator sets the level that determines allowances.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import type { Problems } from '#http';
import { changeTrust, lockScope, requireFreshCheck } from '#identity';
import type { TrustChanged } from '#identity';
import { timestamp } from '#lib/timestamp';
import { appendAudit } from '../service/audit.ts';

type Refused = Exclude<TrustChanged, { readonly outcome: 'done' }>;

function refusal(problem: Problems<'not-found' | 'gone' | 'conflict'>, change: Refused) {
  if (change.outcome === 'unknown') return problem('not-found', 'No principal has this id.');
  if (change.outcome === 'closed') return problem('gone', 'This account was closed.');
  const { username, ownerLevel } = change;
  return problem(
    'conflict',
    `${username} is an agent, and its owner has level ${ownerLevel}: raise the owner first.`,
  );
}

export const setTrustLevel = implement(operations.setTrustLevel)(async (
  { tx, caller, problem, now },
  { params: { id }, body: { level } },
) => {
  await requireFreshCheck(tx, caller, now);
  await lockScope(tx, caller, 'admin:manage', now);
  const change = await changeTrust(tx, id, level);
  if (change.outcome !== 'done') throw refusal(problem, change);
  // As for grants: what changes nothing, such as a form that is sent twice, has no row.
  if (change.before !== level) {
    await appendAudit(tx, {
      actor: caller.id,
      action: 'trust',
      target_type: 'principal',
      target_id: id,
      details: { from: change.before, to: level },
      created_at: timestamp(now),
    });
  }
  return {
    status: 200,
    body: { principal_id: id, trust_level: level, trust_level_before: change.before },
  };
});
