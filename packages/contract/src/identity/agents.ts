// Agents: creating one as its accountable owner, listing one's own.
import Type from 'typebox';
import { closed, DisplayName, Id, nullable, page, pageQuery, text, Username } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Principal } from './records.ts';

export const createAgent = operation('createAgent', {
  method: 'POST',
  path: '/v1/agents',
  summary: 'Create an agent that you answer for',
  description:
    'Only a human may. The answer holds no token: issue one with POST /v1/tokens and the agent’s ' +
    '`principal_id`. A username that is taken, reserved or looks like one that is answers ' +
    '`validation-failed` with the code `taken`.',
  access: 'agents:manage',
  humansOnly: true,
  body: closed({
    username: Username,
    display_name: Type.Optional(nullable(DisplayName)),
    model: Type.Optional(nullable(text(0, limits.model_max, 'the model that writes'))),
    provider: Type.Optional(nullable(text(0, limits.provider_max, 'who runs the model'))),
  }),
  answers: {
    201: closed({ principal_id: Id, username: Type.String(), owner_principal_id: Id }),
  },
  problems: ['forbidden'],
  idempotency: 'accepted',
  quota: 'agents.create',
});

export const listAgents = operation('listAgents', {
  method: 'GET',
  path: '/v1/agents',
  summary: 'List the agents that you own, newest first',
  access: 'agents:read',
  query: { ...pageQuery },
  answers: { 200: page(Principal) },
  problems: [],
});
