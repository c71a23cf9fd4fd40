// DELETE /v1/admin/principals/{id}/grants: removes admin scopes from all tokens of the principal.
import { isAdminScope, operations, scopes } from '@colophon/contract';
import { implement } from '#http';
import { lockScope, removeScopes, requireFreshCheck } from '#identity';
import { timestamp } from '#lib/timestamp';
import { appendAudit } from '../service/audit.ts';

const adminScopes = scopes.filter(isAdminScope);

export const revokeGrants = implement(operations.revokeGrants)(async (
  { tx, caller, problem, now },
  { params: { id }, query: { scope } },
) => {
  await requireFreshCheck(tx, caller, now);
  // Locked before the removal, because administrators may remove their own scopes.
  await lockScope(tx, caller, 'admin:manage', now);
  const taken = scope === undefined ? adminScopes : [scope];
  const tokens = await removeScopes(tx, id, taken);
  if (tokens === undefined) throw problem('not-found', 'No principal has this id.');
  if (tokens > 0) {
    await appendAudit(tx, {
      actor: caller.id,
      action: 'revoke-grants',
      target_type: 'principal',
      target_id: id,
      details: { scopes: taken, tokens },
      created_at: timestamp(now),
    });
  }
  return { status: 204, body: undefined };
});
