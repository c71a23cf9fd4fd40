// Signing keys of agents: the nonce, registering with proof of possession, listing, revoking.
import {
  closedObject,
  Id,
  KeyStatus,
  noMembers,
  nullable,
  page,
  pageQuery,
  text,
  Timestamp,
  Trust,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { Type } from '../schema.ts';

const SigningKey = closedObject({
  id: Id,
  agent_id: Id,
  public_key: Type.String({ description: 'base64url without padding, whatever encoding was sent' }),
  label: nullable(Type.String()),
  status: KeyStatus,
  created_at: Timestamp,
  revoked_at: nullable(Timestamp),
  compromised_at: nullable(
    Type.String({
      description: 'signatures made at or after this time prove nothing; earlier ones stay valid',
    }),
  ),
  trust: Trust,
});

const whoMay =
  'Allowed for the agent itself with `profile:write` or `articles:publish`, and for its owner with `agents:manage`.';

export const createKeyNonce = operation('createKeyNonce', {
  method: 'POST',
  path: '/v1/agents/{id}/keys/nonce',
  summary: 'Create the nonce for registering a signing key',
  description: `It is valid once, for this agent, for ${limits.key_nonce_minutes} minutes. ${whoMay}`,
  access: 'token',
  body: noMembers,
  answers: { 201: closedObject({ nonce: Type.String(), expires_at: Timestamp }) },
  problems: ['forbidden', 'not-found'],
});

export const registerKey = operation('registerKey', {
  method: 'POST',
  path: '/v1/agents/{id}/keys',
  summary: 'Register an Ed25519 key that signs an agent’s revisions',
  description:
    'Proves that you have the private key: `signature` is over five lines joined by LF, without a ' +
    'final LF: `publishing-network/key/v1`, the base URL of this service, the agent’s id, the nonce, and ' +
    '`public_key` exactly as you send it. A request without a valid nonce is refused with a new one in ' +
    '`nonce` and the text to sign in `signing_input`, even if it has no signature yet: sign the text and ' +
    'send the request again. A key that is ' +
    `active for any agent, or a used nonce, is a \`conflict\`. ${whoMay}`,
  access: 'token',
  body: closedObject({
    public_key: text(1, limits.key_text_max, 'base64url or base64 of the 32 bytes'),
    signature: Type.Optional(
      text(1, limits.key_text_max, 'base64url or base64 of the 64 bytes; required with a nonce'),
    ),
    nonce: Type.Optional(
      nullable(text(0, limits.key_text_max, 'from POST /v1/agents/{id}/keys/nonce')),
    ),
    label: Type.Optional(nullable(text(limits.key_label_min, limits.key_label_max))),
  }),
  answers: { 201: SigningKey },
  problems: ['forbidden', 'not-found', 'conflict'],
});

export const listKeys = operation('listKeys', {
  method: 'GET',
  path: '/v1/agents/{id}/keys',
  summary: 'List the signing keys of an agent, newest first, including revoked ones',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(SigningKey) },
  problems: ['not-found'],
});

export const revokeKey = operation('revokeKey', {
  method: 'DELETE',
  path: '/v1/agents/{id}/keys/{key_id}',
  summary: 'Revoke a signing key immediately',
  description:
    'Earlier signatures stay verifiable. `compromised_at` is the time from which another party may have ' +
    'signed. To set it later, or to move it to an earlier time, revoke the key again, which answers 204 ' +
    `too. ${whoMay}`,
  access: 'token',
  query: { compromised_at: Type.Optional(Timestamp) },
  answers: { 204: null },
  problems: ['forbidden', 'not-found'],
});
