// Tokens: issuing, listing, revoking.
import { closedObject, Id, idOf, nullable, page, pageQuery, text, Timestamp } from '../fields.ts';
import { operation } from '../operation.ts';
import { limits } from '../vocabulary.ts';
import { IssuerTokenId, Scope, Scopes, TokenRecord } from './records.ts';
import { Type } from '../schema.ts';

export const issueToken = operation('issueToken', {
  method: 'POST',
  path: '/v1/tokens',
  summary: 'Issue a token for yourself or for an agent that you own',
  description:
    'The token is returned only in this response; a replay of the same Idempotency-Key returns `token: null`. ' +
    '`scopes` defaults to the scopes of the issuing token without the `admin:` scopes. ' +
    'A token that expires can only issue tokens that expire no later.',
  access: 'token',
  body: closedObject({
    principal_id: Id,
    name: text(limits.token_name_min, limits.token_name_max),
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(nullable(Timestamp)),
  }),
  exampleWithout: ['expires_at'],
  answers: {
    201: closedObject({
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
  summary: 'List your tokens or the tokens of an agent that you own',
  access: 'token',
  query: {
    ...pageQuery,
    principal_id: Type.Optional(idOf('an agent that you own (requires the scope agents:read)')),
  },
  answers: { 200: page(TokenRecord) },
  problems: [],
});

export const revokeToken = operation('revokeToken', {
  method: 'DELETE',
  path: '/v1/tokens/{id}',
  summary: 'Revoke a token immediately',
  description:
    'Any token can revoke itself and the tokens that it issued; with `profile:write` any of your tokens, ' +
    'with `agents:manage` the tokens of your agents. Revoking again answers 204 too. ' +
    'Tokens that it issued stay valid, so that you can rotate tokens: issue a new one, then revoke the old one. ' +
    'After a leak send `with_issued=true`.',
  access: 'token',
  query: {
    with_issued: Type.Optional(
      Type.Boolean({
        description:
          'true: also revoke every token issued from this one, directly or indirectly, in one transaction, ' +
          'including tokens of your agents, even if the token itself is already revoked',
      }),
    ),
  },
  answers: { 204: null },
  problems: [],
});
