// The members of an operation as flags: names, types, values and descriptions from the contract's schemas.
import type { operationList } from '@colophon/contract';

export type Operation = (typeof operationList)[number];

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Member {
  /** As the interface names it: `parent_comment_id`. */
  readonly name: string;
  /** `parent-comment-id`. */
  readonly flag: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Whether the value can be read from a file or from standard input. */
  readonly isText: boolean;
}

/** Returns `create-article` for `createArticle`, and `parent-comment-id` for `parent_comment_id`. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the types that a schema allows. */
export function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function isText(schema: Schema): boolean {
  const { enum: values, format, pattern } = schema;
  if (typesOf(schema).includes('object')) return true;
  return typesOf(schema).includes('string') && !values && !format && !pattern;
}

function membersIn(schema: unknown, fromText: boolean): readonly Member[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return Object.entries(properties).map(([name, member]) => ({
    name,
    flag: kebab(name),
    schema: member,
    required: required.includes(name),
    isText: fromText && isText(member),
  }));
}

const revision: Schema = {
  type: 'string',
  description: 'the revision that you expect to be the current one',
};

/** Returns the members of an operation's input: path, body, query and precondition. */
export function membersOf(operation: Operation): readonly Member[] {
  const { params, body, querySchema } = operation;
  const { precondition } = operation as { readonly precondition?: true };
  const inPath = params.map((name) => ({
    name,
    flag: kebab(name),
    schema: { type: 'string' },
    required: true,
    isText: false,
  }));
  const isApart = precondition
    ? [{ name: 'if_match', flag: 'if-match', schema: revision, required: false, isText: false }]
    : [];
  return [...inPath, ...membersIn(body, true), ...membersIn(querySchema, false), ...isApart];
}

function sizeOf({ minLength, maxLength, minimum, maximum }: Schema): string | undefined {
  if (maximum !== undefined) return `${minimum ?? 0} to ${maximum}`;
  if (maxLength === undefined || maxLength === minLength) return undefined;
  return minLength === undefined
    ? `at most ${maxLength} characters`
    : `${minLength} to ${maxLength} characters`;
}

/** Returns what the help says about a member. */
export function describe({ schema, required, isText: fromText }: Member): string {
  const shown = schema.description ?? sizeOf(schema) ?? schema.format;
  return [
    ...(required ? ['required'] : []),
    ...(shown === undefined ? [] : [shown]),
    ...(fromText ? ['@FILE reads a file, - standard input'] : []),
    ...(typesOf(schema).includes('null') ? ['null clears it'] : []),
  ].join('; ');
}
