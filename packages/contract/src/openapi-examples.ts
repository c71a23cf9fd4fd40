// Examples in the OpenAPI document: generated from the schemas, with realistic values.
import type { AnyOperation } from './operation.ts';
import type { Json } from './openapi-schemas.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

const id = '01M83130FYF7B893BE8VDHC8JR';
const revision = '01M83130FYF7B9ZZHZ5DSN30JR';
const timestamp = '2026-01-31T09:30:00.000Z';
const key = 'Qm9va3MgYXJlIG1hZGUgb2YgcGFwZXIgYW5kIGluaw';
const sha256 = '5d28590ce2fdc5f01d70354f75f8743ff865ef8b92f91f907f6bb31cd3c41dcb';

/**
 * Values for members whose name says more than their schema. Each is checked against the schema where it is
 * used.
 */
const values: Readonly<Record<string, unknown>> = {
  appeal_id: null,
  compromised_at: null,
  lifted_at: null,
  lifted_by_id: null,
  moderation: null,
  next_cursor: null,
  rejection_reason: null,
  removed_at: null,
  revoked_at: null,
  spotlight: null,
  via_comment_id: null,
  metadata: { topics: ['rivers'] },
  dst_article_id: '01M83130XSC44GPXSQZFK89BT4',
  reason_text: 'Advertising in every paragraph.',
  subject_id: id,
  target_id: id,
  topics: 'rivers',
  type: 'comment.created',
  alt_text: 'A heron at dusk.',
  author: 'ada',
  bio: 'Writes about rivers.',
  canonical_url: 'https://example.org/rivers',
  checksum_sha256: sha256,
  confirm: 'erase',
  content: 'Rivers *move*.',
  content_hash: `sha256:${sha256}`,
  content_type: 'text/markdown',
  current_revision_id: revision,
  detail: 'The body is not valid.',
  details: 'Advertising in every paragraph.',
  display_name: 'Ada',
  dst_uri: 'https://example.org/source',
  email: 'ada@example.org',
  excerpt: 'Rivers move.',
  expected_revision_id: revision,
  hash: sha256,
  kinds: 'cites,supports',
  label: 'laptop',
  language: 'en',
  model: 'example-1',
  month: '2026-01',
  name: 'drafting',
  nonce: key,
  note: 'Section 2.',
  prefix: 'clp_5Hq2xZ8v',
  previous_hash: sha256,
  provider: 'Example Labs',
  public_key: key,
  q: 'rivers',
  reason: 'No longer needed.',
  reporter_contact: 'ada@example.org',
  published_revision_id: revision,
  reported_content: 'Rivers *rest*.',
  reported_revision_id: '01M83130FYF7B9YYHZ5DSN30JR',
  reported_title: 'Rivers',
  decided_content: 'Rivers *rest*.',
  decided_revision_id: '01M83130FYF7B9YYHZ5DSN30JR',
  decided_title: 'Rivers',
  resolution: 'It breaks no rule.',
  revision_id: revision,
  signature: 'A'.repeat(86),
  signing_input: `publishing-network/revision/v1\n…\nsha256:${sha256}`,
  slug: 'rivers',
  text: 'Rivers move.',
  title: 'Rivers',
  token: 'clp_…',
  topic: 'rivers',
  url: 'https://example.org/@ada/rivers-01M83130FYF7B893BE8VDHC8JR',
  username: 'ada',
};

function fits(value: unknown, { type, pattern, enum: listed, minLength = 0 }: Schema): boolean {
  if (listed !== undefined) return listed.includes(value);
  const types = [type].flat();
  if (value === null) return types.includes('null');
  if (typeof value === 'object') return types.includes('object');
  if (typeof value !== 'string' || !types.includes('string')) return false;
  return value.length >= minLength && (pattern === undefined || new RegExp(pattern).test(value));
}

const byPattern = [id, timestamp, '12', '2026-01', `1767225600000-${sha256.slice(0, 32)}`, key];

function textOf(schema: Schema): string {
  if (schema.format === 'timestamp') return timestamp;
  const { pattern, minLength = 0, maxLength = 80 } = schema;
  if (pattern !== undefined) {
    const expression = new RegExp(pattern);
    return byPattern.find((text) => expression.test(text)) ?? '';
  }
  return 'Text'.padEnd(minLength, '.').slice(0, maxLength);
}

function objectOf({ properties = {}, additionalProperties }: Schema): Json {
  const own = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, name)]);
  const isMap = own.length === 0 && typeof additionalProperties === 'object';
  const entry = isMap ? [['name', exampleOf(additionalProperties, 'name')]] : [];
  return Object.fromEntries([...own, ...entry]) as Json;
}

function arrayOf({ items = {}, minItems = 1 }: Schema, name: string): readonly unknown[] {
  if (Array.isArray(items))
    return (items as readonly Schema[]).map((item) => exampleOf(item, name));
  return Array.from({ length: minItems }, () => exampleOf(items as Schema, name));
}

const makers: Readonly<Record<string, (schema: Schema, name: string) => unknown>> = {
  object: objectOf,
  array: arrayOf,
  integer: ({ minimum = 0 }) => Math.max(minimum, 1),
  number: ({ minimum = 0 }) => Math.max(minimum, 1),
  boolean: () => true,
  string: textOf,
};

/** Returns a value that is derived from the schema alone. */
function plainExample(schema: Schema, name: string): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return exampleOf(choice, name);
  const type = [schema.type].flat().find((each) => each !== 'null');
  return makers[type ?? '']?.(schema, name) ?? null;
}

/** Returns a valid value for the schema; the name of the member selects a realistic one. */
export function exampleOf(schema: unknown, name: string): unknown {
  const one = schema as Schema;
  if (one.const !== undefined) return one.const;
  if (Object.hasOwn(values, name) && fits(values[name], one)) return values[name];
  return one.enum === undefined ? plainExample(one, name) : one.enum[0];
}

/** Returns an example of the operation's body. */
export function bodyExample({ body, exampleWithout = [] }: AnyOperation): Json {
  const example = exampleOf(body ?? { type: 'object' }, '') as Json;
  return Object.fromEntries(
    Object.entries(example).filter(([member]) => !exampleWithout.includes(member)),
  ) as Json;
}

/** Returns an example of the operation's response for a status that has a body. */
export function answerExample({ answers }: AnyOperation, status: number): unknown {
  const own = answers[status];
  if (own !== undefined && own !== null) return exampleOf(own, '');
  // Only a dry run returns a status that the operation does not declare.
  const [other] = Object.values(answers);
  return { ...(exampleOf(other ?? { type: 'object' }, '') as Json), dry_run: true };
}

/** Returns an example of a path parameter. */
export function parameterExample(name: string): string {
  if (name === 'revision_id') return revision;
  if (/id$/i.test(name)) return id;
  const known = values[name];
  return typeof known === 'string' ? known : 'article';
}
