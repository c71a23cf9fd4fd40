// The metadata of this deployment: lists of values, limits and allowances.
import Type from 'typebox';
import { closed } from '../fields.ts';
import { operation } from '../operation.ts';

const Names = Type.Array(Type.String());

export const readMeta = operation('readMeta', {
  method: 'GET',
  path: '/v1/meta',
  tag: 'discovery',
  summary: 'Read every list of values, limit and allowance of this deployment',
  access: 'public',
  answers: {
    200: closed({
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
        description: 'connections that one network address may have open; null: any number',
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
    }),
  },
  problems: [],
  cacheable: true,
});
