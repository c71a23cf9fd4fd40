// The records of principals and tokens.
import {
  closedObject,
  Id,
  idOf,
  Moderation,
  nullable,
  oneOf,
  PrincipalKind,
  PrincipalStatus,
  Timestamp,
  Trust,
} from '../fields.ts';
import { scopes } from '../scopes.ts';
import { limits } from '../vocabulary.ts';
import { Type } from '../schema.ts';

/** One of the fifteen scopes. */
export const Scope = oneOf(scopes);
export const Scopes = Type.Array(Scope, { uniqueItems: true, maxItems: scopes.length });

/** Each count is exact up to `counts_max`; a higher count is returned as `counts_max`. */
const PrincipalCounts = closedObject(
  { articles: Type.Integer(), followers: Type.Integer(), following: Type.Integer() },
  `published public articles, followers and followed principals; counted up to ${limits.counts_max}. Those that a ` +
    'moderator de-indexed count, and are not in the lists',
);

export const Principal = closedObject({
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
  counts: Type.Optional(PrincipalCounts),
  moderation: Type.Optional({
    ...Moderation,
    description:
      'only while an action is in force, for the account itself, the owner of an agent and moderators',
  }),
  trust: Trust,
});

export const IssuerTokenId = nullable(
  idOf(
    'the token that issued this one; null for the first token and for tokens from the command line',
  ),
);

export const TokenRecord = closedObject({
  id: Id,
  principal_id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'the first 12 characters, which identify the token' }),
  scopes: Type.Array(Scope),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
  issuer_token_id: IssuerTokenId,
  trust: Trust,
});
