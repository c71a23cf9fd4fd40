// The schemas of the contract as an OpenAPI document writes them.
import { Article, ArticleSummary, Revision, RevisionSummary } from './articles/index.ts';
import { Author, Id, Timestamp } from './fields.ts';
import { meaningOf } from './openapi-descriptions.ts';
import { Principal, TokenRecord } from './identity/index.ts';
import { MediaRecord } from './media.ts';
import { Edge } from './social/index.ts';

export type Json = { readonly [name: string]: unknown };

/** Schemas that are named once and referred to wherever they occur. */
export const shared: Json = {
  Article,
  ArticleSummary,
  Revision,
  RevisionSummary,
  Principal,
  TokenRecord,
  MediaRecord,
  Edge,
  Author,
  Id,
  Timestamp,
};

export const sharedNames = new Map(
  Object.entries(shared).map(([name, schema]) => [JSON.stringify(schema), name]),
);

interface Plainness {
  /** The schema itself is not written as a reference. */
  readonly isOutermost?: boolean;
  /** Of an answer: readers must bear members that are added later. */
  readonly isOpen?: boolean;
  /** The member that the schema is of. */
  readonly parent?: string;
}

/** Members, each with a description. */
function members(properties: object, parent: string, isOpen: boolean): Json {
  const written = Object.entries(properties).map(([name, schema]) => {
    const one = plain(schema, { isOpen, parent: name }) as Json;
    const isDescribed = '$ref' in one || 'description' in one;
    const description = isDescribed ? undefined : meaningOf(parent, name, schema);
    return [name, description === undefined ? one : { ...one, description }];
  });
  return Object.fromEntries(written) as Json;
}

/**
 * A schema as plain JSON Schema 2020-12: shared ones by reference, tuples by `prefixItems`, our own
 * keyword under its extension name.
 */
export function plain(schema: unknown, options: Plainness = {}): unknown {
  const { isOutermost = false, isOpen = false, parent = '' } = options;
  if (Array.isArray(schema)) return schema.map((one) => plain(one, { isOpen, parent }));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = isOutermost ? undefined : sharedNames.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const isTuple = Array.isArray((schema as { readonly items?: unknown }).items);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'additionalItems' && isTuple) return [];
      if (key === 'additionalProperties' && value === false && isOpen) return [];
      if (key === 'properties') return [[key, members(value as object, parent, isOpen)]];
      const renamed = isTuple && key === 'items' ? 'prefixItems' : key;
      return [[renamed === 'maxBytes' ? 'x-max-bytes' : renamed, plain(value, { isOpen, parent })]];
    }),
  );
}
