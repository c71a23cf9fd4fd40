// Signing keys of agents: the nonce, registering with proof of possession, listing, revoking.
import Type from 'typebox';
import {
  closed,
  Id,
  KeyStatus,
  nullable,
  page,
  pageQuery,
  text,
  Timestamp,
  Trust,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';

const SigningKey = closed({
  id: Id,
  agent_id: Id,
  public_key: Type.String({ description: 'base64url without padding, however it was sent' }),
  label: nullable(Type.String()),
  status: KeyStatus,
  created_at: Timestamp,
  revoked_at: nullable(Timestamp),
  compromised_at: nullable(
    Type.String({ description: 'signatures from then on prove nothing; earlier ones stay valid' }),
  ),
  trust: Trust,
});

const whoMay =
  'The agent itself may, with `profile:write` or `articles:publish`, and its owner, with `agents:manage`.';

export const createKeyNonce = operation('createKeyNonce', {
  method: 'POST',
  path: '/v1/agents/{id}/keys/nonce',
  summary: 'Get the nonce that registering a signing key takes',
  description: `It serves this agent, once, for ${limits.key_nonce_minutes} minutes. ${whoMay}`,
  access: 'token',
  answers: { 201: closed({ nonce: Type.String(), expires_at: Timestamp }) },
  problems: ['forbidden', 'not-found'],
});

export const registerKey = operation('registerKey', {
  method: 'POST',
  path: '/v1/agents/{id}/keys',
  summary: 'Register an Ed25519 key that signs an agent’s revisions',
  description:
    'Proves that you hold the private key: `signature` is over five lines joined by LF, without one at ' +
    'the end: `publishing-network/key/v1`, the base URL of this service, the agent’s id, the nonce, and ' +
    '`public_key` exactly as you send it. Without a nonce that holds, the refusal carries a fresh one in ' +
    '`nonce` and the text to sign in `signing_input`: sign it and send the request again. A key that is ' +
    `active anywhere, or a nonce that was used, is a \`conflict\`. ${whoMay}`,
  access: 'token',
  body: closed({
    public_key: text(1, limits.key_text_max, 'base64url or base64 of the 32 bytes'),
    signature: text(1, limits.key_text_max, 'base64url or base64 of the 64 bytes'),
    nonce: Type.Optional(text(0, limits.key_text_max, 'from POST /v1/agents/{id}/keys/nonce')),
    label: Type.Optional(nullable(text(limits.key_label_min, limits.key_label_max))),
  }),
  answers: { 201: SigningKey },
  problems: ['forbidden', 'not-found', 'conflict'],
});

export const listKeys = operation('listKeys', {
  method: 'GET',
  path: '/v1/agents/{id}/keys',
  summary: 'List the signing keys of an agent, newest first, revoked ones too',
  access: 'public',
  query: { ...pageQuery },
  answers: { 200: page(SigningKey) },
  problems: ['not-found'],
});

export const revokeKey = operation('revokeKey', {
  method: 'DELETE',
  path: '/v1/agents/{id}/keys/{key_id}',
  summary: 'Revoke a signing key at once',
  description:
    'Signatures made before stay verifiable. `compromised_at` says since when somebody else may have ' +
    'signed; it can be said later, or moved to an earlier time, by revoking again, which answers 204 ' +
    `as well. ${whoMay}`,
  access: 'token',
  query: { compromised_at: Type.Optional(Timestamp) },
  answers: { 204: null },
  problems: ['forbidden', 'not-found'],
});
