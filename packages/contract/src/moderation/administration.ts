// Administration: trust levels, admin scopes, and the audit log.
import { closedObject, Id, oneOf, page, pageQuery, text, Timestamp } from '../fields.ts';
import { trustLevelMax } from '../allowances.ts';
import { operation } from '../operation.ts';
import { isAdminScope, scopes } from '../scopes.ts';
import { limits } from '../vocabulary.ts';
import { Scope } from '../identity/records.ts';
import { Type } from '../schema.ts';

const adminScopes = scopes.filter(isAdminScope);
const AdminScope = Type.Unsafe<(typeof adminScopes)[number]>({ type: 'string', enum: adminScopes });

export const setTrustLevel = operation('setTrustLevel', {
  method: 'POST',
  path: '/v1/admin/principals/{id}/trust',
  summary: 'Set the trust level, which determines the allowances',
  description:
    'The highest level is set in no other way. Agents with a higher level than their owner are lowered with ' +
    'the owner; an agent cannot be raised above its owner (`conflict`). Setting the present level changes ' +
    'nothing and answers 200.',
  access: 'admin:manage',
  body: closedObject({ level: Type.Integer({ minimum: 0, maximum: trustLevelMax }) }),
  answers: {
    200: closedObject({
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
  summary: 'Add admin scopes to a token of another person',
  description:
    'You can grant only scopes that your own token carries. No secret is exchanged: the person issues a token and sends ' +
    'you its id (GET /v1/tokens shows it), and you add the scopes to it. The event `token.issued` notifies ' +
    'the person. Granting scopes that the token already carries changes nothing and answers 200.',
  access: 'admin:manage',
  body: closedObject({
    token_id: Id,
    scopes: Type.Array(AdminScope, {
      uniqueItems: true,
      minItems: 1,
      maxItems: adminScopes.length,
    }),
  }),
  answers: {
    200: closedObject({ principal_id: Id, token_id: Id, scopes: Type.Array(Scope) }),
  },
  problems: ['forbidden', 'not-found'],
});

export const revokeGrants = operation('revokeGrants', {
  method: 'DELETE',
  path: '/v1/admin/principals/{id}/grants',
  summary: 'Remove the admin scopes from every token of a principal immediately',
  description:
    'After this response no token of the principal carries them, nor any token issued concurrently. ' +
    'If no token carries them, the answer is 204 too.',
  access: 'admin:manage',
  query: { scope: Type.Optional(oneOf(['admin:moderate', 'admin:manage'], 'only this one')) },
  answers: { 204: null },
  problems: [],
});

export const AuditRecord = closedObject({
  number: Type.Integer(),
  actor: Type.String({ description: 'id of a principal, or `operator` for the command line' }),
  action: Type.String(),
  target_type: Type.String(),
  target_id: Type.String(),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  created_at: Timestamp,
  previous_hash: Type.String({
    description: 'hash of the previous row; 64 zeros in the first row',
  }),
  hash: Type.String({
    description: 'hex SHA-256 of the RFC 8785 form of all other members; `verify-audit` checks it',
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
      Type.String({
        pattern: '^[1-9][0-9]{0,14}$',
        description: 'next_cursor of the previous page',
      }),
    ),
    actor: Filter,
    action: Filter,
    target_type: Filter,
    target_id: Filter,
  },
  answers: { 200: page(AuditRecord) },
  problems: [],
});
