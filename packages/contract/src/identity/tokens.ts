// Tokens: issuing, listing, revoking.
import Type from 'typebox';
import { closed, Id, idOf, nullable, page, pageQuery, text, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { IssuerTokenId, Scope, Scopes, TokenRecord } from './records.ts';

export const issueToken = operation('issueToken', {
  method: 'POST',
  path: '/v1/tokens',
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
      issuer_token_id: IssuerTokenId,
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
  summary: 'Revoke a token at once',
  description:
    'Any token may revoke itself and those it issued; with `profile:write` any token of your own, ' +
    'with `agents:manage` those of your agents. Revoking again answers 204 as well. ' +
    'Tokens that it issued stay valid, so that you can rotate: issue a new token, then revoke the old one. ' +
    'After a leak send `with_issued=true`.',
  access: 'token',
  query: {
    with_issued: Type.Optional(
      Type.Boolean({
        description:
          'true: also revoke every token issued from this one, directly or not, in one transaction; ' +
          'tokens of your agents among them, and also when the token itself is revoked already',
      }),
    ),
  },
  answers: { 204: null },
  problems: [],
});
