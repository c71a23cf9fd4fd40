// The schemas of the contract as an OpenAPI document writes them.
import { Article, ArticleSummary, Revision, RevisionSummary } from './articles/index.ts';
import { Author, Id, Timestamp } from './fields.ts';
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

/** A schema as plain JSON Schema 2020-12: shared ones by reference, our own keyword under its extension name. */
export function plain(schema: unknown, isOutermost = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => plain(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = isOutermost ? undefined : sharedNames.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key === 'maxBytes' ? 'x-max-bytes' : key,
      plain(value),
    ]),
  );
}
