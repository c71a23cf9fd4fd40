// DELETE /-/agents/{id}/tokens: revokes every token of an owned agent, effective for the next request.
import { ceremonies } from '@colophon/contract';
import { wakeWaiting } from '#event-log';
import { implement } from '#http';
import { findPrincipal, listHousehold, setAgentTokensRevoked } from '../queries/index.ts';

export const revokeAgentTokens = implement(ceremonies.revokeAgentTokens)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const { bucket } = caller;
  const [agent, household] = await Promise.all([
    findPrincipal(tx, bucket, params.id),
    listHousehold(tx, caller),
  ]);
  if (agent === undefined || agent.owner_principal_id !== caller.id)
    throw problem('not-found', 'You have no agent with this id.');
  let revoked = 0;
  // A token that the agent was issuing is found by the next statement.
  for (let found = -1; found !== 0; revoked += found)
    found = await setAgentTokensRevoked(tx, { bucket, id: params.id }, now);
  // Those whose token is still valid go on waiting.
  wakeWaiting(tx, household);
  return { status: 200, body: { tokens_revoked: revoked } };
});
