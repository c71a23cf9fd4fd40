// JSON Schemas of values and answers, made from those of the contract.
import { eventPayloads } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import type { Schema } from '../untrusted.ts';

/** The contract's own formats; its patterns and descriptions say the same. */
const ownFormats: ReadonlySet<unknown> = new Set(['timestamp', 'link-uri', 'language-tag']);

/** Drops what JSON Schema does not have, and what would reject the answer of a newer service. */
function isKept(name: string, value: unknown): boolean {
  if (name === 'format') return !ownFormats.has(value);
  return name !== 'maxBytes' && (name !== 'additionalProperties' || typeof value === 'object');
}

/**
 * Returns a list of a fixed length for a tuple of draft 7. Clients read schemas by the rules of draft 7 or of
 * 2020-12, and the keywords of one for tuples mean something else in the other, or nothing.
 */
function withoutTuple(schema: object): object {
  if (!('items' in schema) || !Array.isArray(schema.items)) return schema;
  const { items, additionalItems: _, ...rest } = schema as Readonly<Record<string, unknown>>;
  const places = new Map((items as unknown[]).map((one) => [JSON.stringify(one), one]));
  const [first, ...others] = [...places.values()];
  return { ...rest, items: others.length === 0 ? first : { anyOf: [first, ...others] } };
}

/** Returns the members with each value changed. */
export function mapMembers(
  members: object,
  change: (value: unknown) => unknown,
): Record<string, Schema> {
  const changed = Object.entries(members).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(changed) as Record<string, Schema>;
}

/** The record of an event does not name its types and payloads; their list does. */
function withEventTypes(properties: Record<string, Schema>): Record<string, Schema> {
  const { payload, type } = properties;
  if (payload === undefined || !('actor_principal_id' in properties)) return properties;
  return {
    ...properties,
    type: { ...type, examples: Object.keys(eventPayloads) },
    payload: { type: 'object', anyOf: Object.values(mapMembers(eventPayloads, plain)) },
  };
}

/** Splits a type with null in two: not every host knows lists of types. */
function withOneType({ type, description, enum: words, ...rest }: Schema): Schema {
  const said = description === undefined ? {} : { description };
  if (typeof type === 'string' || type === undefined)
    return {
      ...(type === undefined ? {} : { type }),
      ...said,
      ...(words ? { enum: words } : {}),
      ...rest,
    };
  const choices = type.map((one): Schema => {
    if (one === 'null') return { type: one };
    const some = words?.filter((word) => word !== null);
    return { type: one, ...(some === undefined ? {} : { enum: some }), ...rest };
  });
  return { anyOf: choices, ...said };
}

/** Returns a copy of a schema that means the same in draft 7 and 2020-12 of JSON Schema, and also accepts members that a newer service adds. */
export function plain(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map(plain) as unknown as Schema;
  if (typeof schema !== 'object' || schema === null) return schema as Schema;
  const members = Object.entries(withoutTuple(schema)).filter(([name, value]) =>
    isKept(name, value),
  );
  return withOneType(
    Object.fromEntries(
      members.map(([name, value]) => [
        name,
        name === 'properties' ? withEventTypes(mapMembers(value as object, plain)) : plain(value),
      ]),
    ) as Schema,
  );
}

/** Every failure of the service. */
const problem: Schema = {
  type: 'object',
  title: 'problem',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  },
};

const tried: Schema = {
  type: 'object',
  required: ['dry_run'],
  properties: { dry_run: { enum: [true] } },
};

/** Returns the whole schema of structuredContent: one of the answers, or a problem. Texts are rendered by it; `outlineOf` is what is listed. */
export function outputOf(bodies: readonly Schema[], isDryRun = false): Schema {
  const different = [...new Map(bodies.map((one) => [JSON.stringify(one), one])).values()];
  return { type: 'object', anyOf: [...different, ...(isDryRun ? [tried] : []), problem] };
}

/** Returns the schemas of the successful answers of an operation, without those that have no body. */
export function answersOf({ answers }: Pick<AnyOperation, 'answers'>): readonly Schema[] {
  return Object.values(answers).flatMap((answer) => (answer === null ? [] : [plain(answer)]));
}
