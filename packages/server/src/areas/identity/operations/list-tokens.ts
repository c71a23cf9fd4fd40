// GET /v1/tokens: the description of each token, never the token itself.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf, requireScope } from '#http';
import { bucketOf } from '#lib/id';
import { findPrincipal, listTokens as findTokens } from '../queries/index.ts';
import { tokenView } from '../views.ts';

export const listTokens = implement(operations.listTokens)(async (
  { db, caller, problem },
  { query },
) => {
  const principalId = query.principal_id ?? caller.id;
  if (principalId !== caller.id) {
    requireScope(caller, 'agents:read');
    const agent = await findPrincipal(db, bucketOf(principalId), principalId);
    if (agent === undefined) throw problem('not-found', 'No principal has this id.');
    if (agent.owner_principal_id !== caller.id) {
      throw problem('forbidden', 'You can list your own tokens and those of agents that you own.');
    }
  }
  const limit = limitOf(query);
  const rows = await findTokens(db, {
    bucket: bucketOf(principalId),
    principalId,
    before: query.cursor,
    limit,
  });
  return {
    status: 200,
    body: pageOf(rows, limit, { view: tokenView, cursor: (row) => row.id }),
  };
});
