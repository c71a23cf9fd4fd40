// Administration: trust levels, admin scopes, and the audit log.
import Type from 'typebox';
import { closed, Id, oneOf, page, pageQuery, text, Timestamp } from '../fields.ts';
import { trustLevelMax } from '../allowances.ts';
import { operation } from '../operation.ts';
import { isAdminScope, scopes } from '../scopes.ts';
import { limits } from '../vocabulary.ts';
import { Scope } from '../identity/records.ts';

const adminScopes = scopes.filter(isAdminScope);
const AdminScope = Type.Unsafe<(typeof adminScopes)[number]>({ type: 'string', enum: adminScopes });

export const setTrustLevel = operation('setTrustLevel', {
  method: 'POST',
  path: '/v1/admin/principals/{id}/trust',
  summary: 'Set the trust level that allowances follow from',
  description:
    'The highest level is given in no other way. Agents that would be above their owner come down with ' +
    'it; an agent cannot be raised above its owner (`conflict`).',
  access: 'admin:manage',
  body: closed({ level: Type.Integer({ minimum: 0, maximum: trustLevelMax }) }),
  answers: {
    200: closed({
      principal_id: Id,
      trust_level: Type.Integer(),
      trust_level_before: Type.Integer(),
    }),
  },
  problems: ['not-found', 'gone', 'conflict'],
});

export const grantScopes = operation('grantScopes', {
  method: 'POST',
  path: '/v1/admin/principals/{id}/grants',
  summary: 'Add admin scopes to a token of somebody else',
  description:
    'You give only what your own token holds. No secret changes hands: the person issues a token, tells ' +
    'you its id (GET /v1/tokens shows it), and you add the scopes to it. They are told by the event ' +
    '`token.issued`. Granting what the token holds changes nothing and answers 200.',
  access: 'admin:manage',
  body: closed({
    token_id: Id,
    scopes: Type.Array(AdminScope, {
      uniqueItems: true,
      minItems: 1,
      maxItems: adminScopes.length,
    }),
  }),
  answers: {
    200: closed({ principal_id: Id, token_id: Id, scopes: Type.Array(Scope) }),
  },
  problems: ['forbidden', 'not-found'],
});

export const revokeGrants = operation('revokeGrants', {
  method: 'DELETE',
  path: '/v1/admin/principals/{id}/grants',
  summary: 'Take the admin scopes from every token of a principal, at once',
  description:
    'From the answer on no token of the principal holds them, nor any that was being issued from one. ' +
    'Taking away what nobody holds answers 204 as well.',
  access: 'admin:manage',
  query: { scope: Type.Optional(oneOf(['admin:moderate', 'admin:manage'], 'only this one')) },
  answers: { 204: null },
  problems: [],
});

export const AuditRecord = closed({
  number: Type.Integer(),
  actor: Type.String({ description: 'id of a principal, or `operator` on the command line' }),
  action: Type.String(),
  target_type: Type.String(),
  target_id: Type.String(),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  created_at: Timestamp,
  previous_hash: Type.String({ description: 'of the row before; 64 zeros in the first' }),
  hash: Type.String({
    description:
      'hex SHA-256 of the RFC 8785 form of all other members: `verify-audit` computes it again',
  }),
});

const Filter = Type.Optional(text(1, limits.audit_filter_max));

export const listAudit = operation('listAudit', {
  method: 'GET',
  path: '/v1/audit',
  summary: 'List the audit log, newest first',
  access: 'admin:manage',
  query: {
    limit: pageQuery.limit,
    cursor: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'next_cursor of the page before' }),
    ),
    actor: Filter,
    action: Filter,
    target_type: Filter,
    target_id: Filter,
  },
  answers: { 200: page(AuditRecord) },
  problems: [],
});
