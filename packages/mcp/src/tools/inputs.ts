// Arguments of tools, made from the path, the query and the body of operations: what a model has to know of each.
import { needsPrecondition, operations } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import type { Schema } from '../untrusted.ts';
import { mapMembers, plain } from './schemas.ts';
import type { ObjectSchema } from './tool.ts';

interface Members {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

type Words = Readonly<Record<string, Schema>>;

function propertiesOf(schema: unknown): Words {
  return (schema as { readonly properties?: Words }).properties ?? {};
}

const ofRevision = propertiesOf(operations.createRevision.body);
const ofArticle = propertiesOf(operations.createArticle.body);
const ofFeed = propertiesOf(operations.readFeed.querySchema);

const idWords = String(ofRevision['expected_revision_id']?.['description']);
const timeWords = String(ofFeed['since']?.['description']);

/** Descriptions that many arguments share, and what replaces them; an empty one is left out. */
const shorter: ReadonlyMap<unknown, string> = new Map([
  // The name says of what; that ids have 26 characters is said by every id in an answer.
  [idWords, ''],
  [timeWords, 'such as 2026-01-31T09:30:00.000Z'],
  [
    ofArticle['metadata']?.['description'],
    'free-form; topics: an array of at most 10 strings of 2 to 50 characters',
  ],
  [ofArticle['language']?.['description'], 'language tag, such as en, pt-BR or und'],
]);

/** What the description says too, and what the service refuses with a problem that says what to send. */
const saidElsewhere = new Set(
  [ofRevision['expected_revision_id'], ofFeed['since']].map((one) => one?.['pattern']),
);

function isKept([name, value]: readonly [string, unknown]): boolean {
  if (name === 'description') return value !== '';
  if (name === 'minLength') return value !== 1;
  return name !== 'pattern' || !saidElsewhere.has(value);
}

/** Returns a schema without what a model reads again and again in the list of tools. */
function concise(schema: Schema): Schema {
  const { description, anyOf } = schema;
  const prefixed =
    typeof description === 'string' ? description.replace(`${idWords}: `, '') : description;
  const said = shorter.get(prefixed) ?? prefixed;
  const members = {
    ...schema,
    ...(said === undefined ? {} : { description: said }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(concise) }),
  };
  return Object.fromEntries(Object.entries(members).filter(isKept));
}

function membersOf(schema: unknown): Members {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<ObjectSchema>;
  return { properties: mapMembers(properties, (one) => concise(plain(one))), required };
}

/** Offered by tools whose operation takes an Idempotency-Key. */
const keyMember: Words = {
  idempotency_key: {
    type: 'string',
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
  return [name, { type: 'string', ...said }];
}

/**
 * Names of arguments where those of the contract differ for the same thing, by operation: the tool's name, then the
 * contract's. `kind` is that of the feed, of an edge or of a file; that of an author is `author_kind`.
 */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listArticles: { author_kind: 'kind' },
  search: { author_kind: 'kind' },
  unfollow: { principal_id: 'followeeId' },
};

function rename<T>(members: Readonly<Record<string, T>>, names: ReadonlyMap<string, string>) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]),
  );
}

/** Returns the arguments of a tool under the names that the operation gives them. */
export function namesOfOperation(
  { name }: Pick<AnyOperation, 'name'>,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return rename(args, new Map(Object.entries(renamed[name] ?? {})));
}

/** Returns the names of the arguments that become part of the address of an operation. */
export function argumentsInUrl({ name, params, querySchema }: AnyOperation): {
  readonly path: readonly string[];
  readonly query: readonly string[];
} {
  const names = new Map(Object.entries(renamed[name] ?? {}).map(([own, theirs]) => [theirs, own]));
  const ownNames = (theirs: readonly string[]) => theirs.map((one) => names.get(one) ?? one);
  return { path: ownNames(params), query: ownNames(Object.keys(propertiesOf(querySchema ?? {}))) };
}

/**
 * Returns the arguments with other names than in the contract: the tool host checks them, because a problem of the
 * service would name others.
 */
export function renamedIn(
  { name }: Pick<AnyOperation, 'name'>,
  { properties }: ObjectSchema,
): Words {
  return Object.fromEntries(
    Object.keys(renamed[name] ?? {}).map((own) => [own, properties[own] ?? {}]),
  );
}

/** A tool sends no headers, so the revision that the caller has read is named in the body. */
const inPlaceOfIfMatch = 'expected_revision_id';

function requiredOf(operation: AnyOperation, query: Members, body: Members): readonly string[] {
  const needsRevision = needsPrecondition(operation) && inPlaceOfIfMatch in body.properties;
  return [
    ...operation.params,
    ...query.required,
    ...body.required,
    ...(needsRevision ? [inPlaceOfIfMatch] : []),
    ...(operation.upload === undefined ? [] : ['data']),
  ];
}

/** Returns the arguments of an operation: path, query and body members side by side. */
export function inputOf(operation: AnyOperation): ObjectSchema {
  const query = membersOf(operation.querySchema);
  const body = membersOf(operation.body);
  const names = new Map(
    Object.entries(renamed[operation.name] ?? {}).map(([own, theirs]) => [theirs, own]),
  );
  const properties = {
    ...Object.fromEntries(operation.params.map((name) => pathMember(operation, name))),
    ...query.properties,
    ...body.properties,
    ...(operation.upload === undefined
      ? {}
      : { data: { type: 'string', description: 'the bytes of the file in base64' } }),
    ...(operation.idempotency === undefined ? {} : keyMember),
  };
  const required = requiredOf(operation, query, body).map((name) => names.get(name) ?? name);
  return {
    type: 'object',
    properties: rename<Schema>(properties, names),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
