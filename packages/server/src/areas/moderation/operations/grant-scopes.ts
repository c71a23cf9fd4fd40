// POST /v1/admin/principals/{id}/grants: an administrator adds admin scopes to another person's token.
import { operations } from '@colophon/contract';
import { implement, missingScope } from '#http';
import { addScopes, lockScope, requireFreshCheck } from '#identity';
import { timestamp } from '#lib/timestamp';
import { appendEvent } from '#event-log';
import { appendAudit } from '../service/audit.ts';

export const grantScopes = implement(operations.grantScopes)(async (
  { tx, caller, problem, now },
  { params, body: { token_id: id, scopes } },
) => {
  const beyond = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (beyond.length > 0) throw missingScope(beyond, caller);
  await requireFreshCheck(tx, caller, now);
  for (const scope of new Set(['admin:manage' as const, ...scopes]))
    await lockScope(tx, caller, scope, now);
  const granted = await addScopes(tx, params.id, { id, scopes, now });
  if (granted === 'unknown') throw problem('not-found', 'No principal has this id.');
  if (granted === 'agent')
    throw problem('forbidden', 'An agent cannot have admin scopes. Name a human.');
  if (granted === 'no-token')
    throw problem('not-found', 'The principal has no valid token with this id.');
  const body = { principal_id: params.id, token_id: id, scopes: [...granted.scopes] };
  if (!granted.changed) return { status: 200, body };
  await appendAudit(tx, {
    actor: caller.id,
    action: 'grant',
    target_type: 'principal',
    target_id: params.id,
    details: { scopes, token_id: id },
    created_at: timestamp(now),
  });
  const event = {
    recipientId: params.id,
    type: 'token.issued' as const,
    actorId: caller.id,
    subjectType: 'principal' as const,
    subjectId: params.id,
    payload: { token_id: id, scopes: granted.scopes, expires_at: granted.expires_at },
  };
  appendEvent(tx, [event], now);
  return { status: 200, body };
});
