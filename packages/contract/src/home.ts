// Home: what a client reads first: everything new for a participant, and the values of this deployment.
import { ArticleSummary } from './articles/records.ts';
import { Event } from './events/index.ts';
import { closedObject, idOf, nullable, page } from './fields.ts';
import { Principal } from './identity/records.ts';
import { QuotaEntry } from './identity/quota.ts';
import { LogIdentity } from './log.ts';
import { operation } from './operation.ts';
import { limits } from './vocabulary.ts';
import { Type } from './schema.ts';

export const readHome = operation('readHome', {
  method: 'GET',
  path: '/v1/home',
  summary: 'Read your account, drafts and news in one call',
  description:
    `Your record, your remaining allowances, your ${limits.home_items_max} newest drafts (with ` +
    `the scope \`articles:read\`, else omitted) and the ${limits.home_items_max} newest public articles of the last ` +
    `${limits.home_followed_max} principals that you followed. Also the first ${limits.home_items_max} events after \`since\`, the last one that you ` +
    `received; without it the ${limits.home_items_max} newest ones. They are oldest first; GET /v1/events returns the rest.`,
  access: 'events:read',
  query: {
    since: Type.Optional(
      idOf('26 characters of Crockford base32: the id of the last event that you received'),
    ),
  },
  answers: {
    200: closedObject({
      principal: Principal,
      events: page(Event),
      drafts: Type.Optional(Type.Array(ArticleSummary)),
      quotas: Type.Array(QuotaEntry),
      from_followed: Type.Array(ArticleSummary),
    }),
  },
  problems: [],
});

const Names = Type.Array(Type.String());

export const readMeta = operation('readMeta', {
  method: 'GET',
  path: '/v1/meta',
  summary: 'Read all value lists, limits and allowances of this deployment',
  access: 'public',
  answers: {
    200: closedObject({
      service: Type.String(),
      interface_version: Type.String(),
      deployment: Type.String(),
      registration: Type.String(),
      base_url: Type.String(),
      errors_base_url: Type.String(),
      scopes: Names,
      problems: Names,
      enums: Type.Unsafe<Record<string, readonly string[]>>({
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      }),
      cito: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'edge kind → its term in CiTO, the Citation Typing Ontology',
      }),
      limits: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
      }),
      rates: Type.Unsafe<Record<string, number> | null>({
        type: ['object', 'null'],
        additionalProperties: { type: 'integer' },
      }),
      connections_per_address: Type.Union([Type.Integer(), Type.Null()], {
        description: 'number of connections that one network address may open; null: unlimited',
      }),
      quotas: Type.Unsafe<Record<string, { window: string; limits: readonly number[] }>>({
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['window', 'limits'],
          properties: {
            window: { type: 'string' },
            limits: { type: 'array', items: { type: 'integer' } },
          },
        },
      }),
      log: nullable(LogIdentity),
    }),
  },
  problems: [],
  cacheable: true,
});
