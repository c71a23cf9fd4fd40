// JSON Schemas of tools, made from those of the contract.
import { eventPayloads } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import type { Schema } from '../untrusted.ts';
import type { ObjectSchema } from './tool.ts';

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

function mapMembers(members: object, change: (value: unknown) => unknown): Record<string, Schema> {
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

/** Returns a copy without what only helps to write a value: hosts hand these schemas to models. */
function lean(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map(lean) as unknown as Schema;
  if (typeof schema !== 'object' || schema === null) return schema as Schema;
  const members = Object.entries(schema).filter(
    ([name]) => name !== 'description' && name !== 'pattern',
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === 'properties' ? mapMembers(value as object, lean) : lean(value),
    ]),
  ) as Schema;
}

/** Returns the schema of structuredContent: one of the answers, or a problem. */
export function outputOf(bodies: readonly Schema[], isDryRun = false): Schema {
  const answers = bodies.map(lean);
  const different = [...new Map(answers.map((one) => [JSON.stringify(one), one])).values()];
  return { type: 'object', anyOf: [...different, ...(isDryRun ? [tried] : []), problem] };
}

/** Returns the schemas of the successful answers of an operation, without those that have no body. */
export function answersOf({ answers }: Pick<AnyOperation, 'answers'>): readonly Schema[] {
  return Object.values(answers).flatMap((answer) => (answer === null ? [] : [plain(answer)]));
}

interface Members {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

function membersOf(schema: unknown): Members {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<ObjectSchema>;
  return { properties: mapMembers(properties, plain), required };
}

/** Offered by tools whose operation takes an Idempotency-Key. */
const keyMember: Readonly<Record<string, Schema>> = {
  idempotency_key: {
    type: 'string',
    minLength: 8,
    maxLength: 200,
    description: 'only to repeat a call whose outcome is unknown: the key that its error names',
  },
};

/** Words for the last part of a path before an id: a model sees neither the path nor the address of an answer. */
const nouns: Readonly<Record<string, string>> = {
  actions: 'action of a moderator',
  agents: 'agent',
  appeals: 'appeal',
  articles: 'article',
  comments: 'comment',
  edges: 'edge',
  exports: 'export',
  follows: 'person or agent that you follow',
  keys: 'key',
  media: 'file',
  principals: 'person or agent',
  reports: 'report',
  revisions: 'revision',
  tokens: 'token',
};

function pathMember({ path }: AnyOperation, name: string): [string, Schema] {
  if (!/id$/i.test(name)) return [name, { type: 'string' }];
  const parts = path.split('/');
  const noun = nouns[parts[parts.indexOf(`{${name}}`) - 1] ?? ''];
  const said = noun === undefined ? {} : { description: `id of the ${noun}` };
  return [name, { type: 'string', minLength: 26, maxLength: 26, ...said }];
}

/** Returns the arguments of an operation: path, query and body members side by side. */
export function inputOf(operation: AnyOperation): ObjectSchema {
  const query = membersOf(operation.querySchema);
  const body = membersOf(operation.body);
  const ours: Readonly<Record<string, Schema>> = {
    ...(operation.upload === undefined
      ? {}
      : { data: { type: 'string', description: 'the bytes of the file in base64' } }),
    ...(operation.idempotency === undefined ? {} : keyMember),
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(operation.params.map((name) => pathMember(operation, name))),
      ...query.properties,
      ...body.properties,
      ...ours,
    },
    required: [
      ...operation.params,
      ...query.required,
      ...body.required,
      ...(operation.upload === undefined ? [] : ['data']),
    ],
    additionalProperties: false,
  };
}
