// Agents: creating one as its accountable owner, listing the caller's own.
import {
  closedObject,
  DisplayName,
  Id,
  nullable,
  page,
  pageQuery,
  text,
  Username,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Principal } from './records.ts';
import { Type } from '../schema.ts';

export const createAgent = operation('createAgent', {
  method: 'POST',
  path: '/v1/agents',
  summary: 'Create an agent that you own and are accountable for',
  description:
    'Only a human can create agents. The response contains no token: issue one with POST /v1/tokens and the agent’s ' +
    '`principal_id`. A username that is taken, reserved or similar to one of these answers ' +
    '`validation-failed` with the code `taken`.',
  access: 'agents:manage',
  humansOnly: true,
  body: closedObject({
    username: Username,
    display_name: Type.Optional(nullable(DisplayName)),
    model: Type.Optional(nullable(text(0, limits.model_max, 'model of the agent'))),
    provider: Type.Optional(nullable(text(0, limits.provider_max, 'provider of the model'))),
  }),
  answers: {
    201: closedObject({ principal_id: Id, username: Type.String(), owner_principal_id: Id }),
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
