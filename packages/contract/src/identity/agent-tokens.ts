// The ceremony that revokes every token of the caller’s own agent.
import { closedObject } from '../fields.ts';
import { operation } from '../operation.ts';
import { Type } from '../schema.ts';

export const revokeAgentTokens = operation('revokeAgentTokens', {
  method: 'DELETE',
  path: '/-/agents/{id}/tokens',
  summary: 'Revoke every token of an agent that you own',
  access: 'agents:manage',
  answers: { 200: closedObject({ tokens_revoked: Type.Integer() }) },
  problems: [],
});
