// The schemas of the contract in the form of an OpenAPI document.
import { Article, ArticleSummary, Revision, RevisionSummary } from './articles/records.ts';
import { ExportRecord } from './exports.ts';
import { Author, Id, Timestamp } from './fields.ts';
import { meaningOf } from './openapi-descriptions.ts';
import { Principal, TokenRecord } from './identity/records.ts';
import { MediaRecord } from './media.ts';
import { Edge } from './social/edges.ts';

export type Json = { readonly [name: string]: unknown };

/** Schemas that are named once and referenced wherever they occur. */
export const shared: Json = {
  Article,
  ArticleSummary,
  Revision,
  RevisionSummary,
  Principal,
  TokenRecord,
  MediaRecord,
  ExportRecord,
  Edge,
  Author,
  Id,
  Timestamp,
};

export const sharedNames = new Map(
  Object.entries(shared).map(([name, schema]) => [JSON.stringify(schema), name]),
);

interface Plainness {
  /** The schema itself is written out and not as a reference. */
  readonly isOutermost?: boolean;
  /** For a response: clients must accept members that are added later. */
  readonly isOpen?: boolean;
  /** The name of the member that has this schema. */
  readonly parent?: string;
}

/** Returns the members, each with a description. */
function members(properties: object, parent: string, isOpen: boolean): Json {
  const written = Object.entries(properties).map(([name, schema]) => {
    const one = plain(schema, { isOpen, parent: name }) as Json;
    const isDescribed = '$ref' in one || 'description' in one;
    const description = isDescribed ? undefined : meaningOf(parent, name, schema);
    return [name, description === undefined ? one : { ...one, description }];
  });
  return Object.fromEntries(written) as Json;
}

/** `elsewhere` words refusals, and describes no value. */
const entriesOf = (schema: object): [string, unknown][] =>
  Object.entries(schema).filter(([key]) => key !== 'elsewhere');

/**
 * Returns a schema as plain JSON Schema 2020-12: shared schemas by reference, tuples as `prefixItems`, our
 * own keyword under its extension name.
 */
export function plain(schema: unknown, options: Plainness = {}): unknown {
  const { isOutermost = false, isOpen = false, parent = '' } = options;
  if (Array.isArray(schema)) return schema.map((one) => plain(one, { isOpen, parent }));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = isOutermost ? undefined : sharedNames.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const isTuple = Array.isArray((schema as { readonly items?: unknown }).items);
  return Object.fromEntries(
    entriesOf(schema).flatMap(([key, value]) => {
      if (key === 'additionalItems' && isTuple) return [];
      if (key === 'additionalProperties' && value === false && isOpen) return [];
      if (key === 'properties') return [[key, members(value as object, parent, isOpen)]];
      const renamed = isTuple && key === 'items' ? 'prefixItems' : key;
      return [[renamed === 'maxBytes' ? 'x-max-bytes' : renamed, plain(value, { isOpen, parent })]];
    }),
  );
}
