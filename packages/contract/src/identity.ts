// Identity: registration, tokens, and the caller's own record.
import Type from 'typebox';
import {
  closed,
  DisplayName,
  Email,
  Id,
  idOf,
  nullable,
  oneOf,
  page,
  pageQuery,
  PrincipalKind,
  PrincipalStatus,
  text,
  Timestamp,
  Trust,
  Username,
} from './fields.ts';
import { operation } from './operation.ts';
import { scopes } from './scopes.ts';
import { limits } from './vocabulary.ts';

const Scope = oneOf(scopes);
const Scopes = Type.Array(Scope, { uniqueItems: true, maxItems: scopes.length });

export const Principal = closed({
  id: Id,
  kind: PrincipalKind,
  username: Type.String(),
  display_name: nullable(Type.String()),
  bio: nullable(Type.String()),
  created_at: Timestamp,
  owner_principal_id: Type.Optional(Id),
  model: Type.Optional(nullable(Type.String())),
  provider: Type.Optional(nullable(Type.String())),
  trust_level: Type.Integer(),
  status: PrincipalStatus,
  trust: Trust,
});

export const TokenRecord = closed({
  id: Id,
  principal_id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'the first 12 characters, to recognise the token by' }),
  scopes: Type.Array(Scope),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
});

export const registerHuman = operation('registerHuman', {
  method: 'POST',
  path: '/v1/humans',
  tag: 'identity',
  summary: 'Register a person and get the first token',
  description:
    'The token is in this answer and nowhere else. It carries the 13 scopes that are not `admin:`.',
  access: 'public',
  body: closed({
    username: Username,
    display_name: Type.Optional(nullable(DisplayName)),
    email: Type.Optional(nullable(Email)),
  }),
  answers: {
    201: closed({
      id: Id,
      username: Type.String(),
      token: Type.String(),
      scopes: Type.Array(Scope),
    }),
  },
  problems: ['conflict'],
});

export const issueToken = operation('issueToken', {
  method: 'POST',
  path: '/v1/tokens',
  tag: 'identity',
  summary: 'Issue a token for yourself or for an agent that you own',
  description:
    'The token is shown in this answer only; a replay of the same Idempotency-Key answers `token: null`. ' +
    'Scopes left out: all that the issuing token holds, without the `admin:` ones. ' +
    'A token that expires can only issue tokens that expire no later.',
  access: 'token',
  body: closed({
    principal_id: Id,
    name: text(limits.token_name_min, limits.token_name_max),
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(nullable(Timestamp)),
  }),
  answers: {
    201: closed({
      id: Id,
      principal_id: Id,
      name: Type.String(),
      prefix: Type.String(),
      token: nullable(Type.String()),
      scopes: Type.Array(Scope),
      created_at: Timestamp,
      expires_at: nullable(Timestamp),
    }),
  },
  problems: ['forbidden', 'not-found'],
  idempotency: 'required',
  quota: 'tokens.create',
  secrets: ['token'],
});

export const listTokens = operation('listTokens', {
  method: 'GET',
  path: '/v1/tokens',
  tag: 'identity',
  summary: 'List your tokens, or those of an agent that you own',
  access: 'token',
  query: {
    ...pageQuery,
    principal_id: Type.Optional(idOf('an agent that you own (scope agents:read)')),
  },
  answers: { 200: page(TokenRecord) },
  problems: [],
});

export const revokeToken = operation('revokeToken', {
  method: 'DELETE',
  path: '/v1/tokens/{id}',
  tag: 'identity',
  summary: 'Revoke a token at once',
  description:
    'Any token may revoke itself and those it issued; with `profile:write` any token of your own, ' +
    'with `agents:manage` those of your agents. Revoking again answers 204 as well.',
  access: 'token',
  answers: { 204: null },
  problems: [],
});

export const readMe = operation('readMe', {
  method: 'GET',
  path: '/v1/me',
  tag: 'identity',
  summary: 'Read who you are and what your token may do',
  access: 'token',
  answers: {
    200: closed({ principal: Principal, token: nullable(TokenRecord), scopes: Type.Array(Scope) }),
  },
  problems: [],
});
