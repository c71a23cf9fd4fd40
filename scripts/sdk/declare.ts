// Generates the declarations of the client's methods, inputs and results from the contract.
import { eventPayloads, operationList, problemNames } from '@colophon/contract';
import * as contract from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { examples } from './examples.ts';
import { docOf, membersOf, typeOf } from './json-schema-type.ts';
import type { Schema, Style } from './json-schema-type.ts';

const records = {
  Article: contract.Article,
  ArticleSummary: contract.ArticleSummary,
  Revision: contract.Revision,
  RevisionSummary: contract.RevisionSummary,
  Principal: contract.Principal,
  TokenRecord: contract.TokenRecord,
  Comment: contract.Comment,
  Edge: contract.Edge,
  MediaRecord: contract.MediaRecord,
  ExportRecord: contract.ExportRecord,
  Report: contract.Report,
  Appeal: contract.Appeal,
  AuditRecord: contract.AuditRecord,
  ModerationStatement: contract.ModerationStatement,
  SearchHit: contract.SearchHit,
  Topic: contract.Topic,
} as unknown as Readonly<Record<string, Schema>>;

const pageOfEvents = contract.operations.listEvents.answers[200] as unknown as Schema;
const eventSchema = pageOfEvents.properties?.['items']?.items as Schema;
const names = new Map(
  Object.entries({ ...records, Event: eventSchema }).map(([name, schema]) => [keyOf(schema), name]),
);

/** Returns equal keys for equal schemas, regardless of the order of their keywords. */
function keyOf(schema: Schema): string {
  return JSON.stringify(Object.entries(schema).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function styleFor(isInput: boolean, except?: string): Style {
  const nameOf = (schema: Schema) => {
    const name = names.get(keyOf(schema));
    return name === except ? undefined : name;
  };
  return { isInput, areArraysReadonly: isInput, nameOf };
}

const output = styleFor(false);
const input = styleFor(true);
const fixed = { ...output, areArraysReadonly: true };

function titleCase(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

const ownMembers = {
  precondition: {
    type: 'string',
    description: 'The revision that you expect to be the newest: its id, or the ETag of a read.',
  },
} as const;

/** Returns path, query and body members side by side, as one schema. */
function inputOf(operation: AnyOperation): Schema {
  const params = Object.fromEntries(operation.params.map((name) => [name, { type: 'string' }]));
  const query = operation.querySchema as Schema;
  const body = (operation.body ?? {}) as Schema;
  const own = operation.precondition ? { if_match: ownMembers.precondition } : {};
  return {
    type: 'object',
    properties: { ...params, ...query.properties, ...body.properties, ...own },
    required: [...operation.params, ...(query.required ?? []), ...(body.required ?? [])],
  };
}

const upload = '  /** The whole content of the file. */\n  bytes: Blob | Uint8Array;\n';

function declareInput(operation: AnyOperation): string {
  const members = membersOf(inputOf(operation), input) + (operation.upload ? upload : '');
  const name = `${titleCase(operation.name)}Input`;
  const doc = docOf(`Input of ${operation.name}.`);
  if (members === '') return `${doc}export type ${name} = Record<string, never>;\n`;
  return `${doc}export interface ${name} {\n${members}}\n`;
}

interface Answer {
  readonly status: string;
  readonly body: string;
}

function answersOf(operation: AnyOperation): readonly Answer[] {
  if (operation.contentTypes) return [{ status: '200', body: 'Blob' }];
  return Object.entries(operation.answers).map(([status, schema]) => ({
    status,
    body: schema === null ? 'undefined' : typeOf(schema as Schema, output),
  }));
}

function declareAnswer(operation: AnyOperation): string {
  const bodies = [...new Set(answersOf(operation).map(({ body }) => body))];
  const doc = docOf(`Response body of ${operation.name}.`);
  return `${doc}export type ${titleCase(operation.name)}Answer = ${bodies.join(' | ')};\n`;
}

function replyOf(operation: AnyOperation): string {
  const name = `${titleCase(operation.name)}Answer`;
  const answers = answersOf(operation);
  const isOne = new Set(answers.map(({ body }) => body)).size === 1;
  const known = answers.map(({ status, body }) => ({ status, body: isOne ? name : body }));
  const tried = { status: '200', body: `${name} & { readonly dry_run: true }` };
  const replies = [...known, ...(operation.dryRun ? [tried] : [])].map(
    ({ status, body }) => `{ readonly status: ${status}; readonly body: ${body} }`,
  );
  return `ReplyHead & (${replies.join(' | ')})`;
}

export function isList(operation: AnyOperation): boolean {
  const page = operation.answers[200] as Schema | null | undefined;
  return page?.properties !== undefined && 'next_cursor' in page.properties;
}

function itemOf(operation: AnyOperation): string {
  return `${titleCase(operation.name)}Answer['items'][number]`;
}

function methodDoc(operation: AnyOperation): string {
  const { name, summary, description, access, method, path, allProblems } = operation;
  const needs = access === 'public' ? 'Requires no token.' : `Access: \`${access}\`.`;
  const problems = `Problems: ${allProblems.join(', ')}.`;
  const text = [`${summary}.`, description, `${method} ${path}. ${needs} ${problems}`]
    .filter((one) => one !== undefined)
    .join('\n\n');
  return docOf(`${text}\n\n@example\n${examples[name as OperationName]}`, '  ');
}

/** Adds `?` when nothing is required. */
function argumentsOf(operation: AnyOperation): string {
  const isOptional = (inputOf(operation).required ?? []).length === 0 && !operation.upload;
  const name = `${titleCase(operation.name)}Input`;
  return `input${isOptional ? '?' : ''}: ${name}${isOptional ? ' | undefined' : ''}, options?: CallOptions | undefined`;
}

function declareMethod(operation: AnyOperation): string {
  const name = titleCase(operation.name);
  const doc = methodDoc(operation);
  const answer = operation.dryRun ? `${name}Answer & { readonly dry_run?: true }` : `${name}Answer`;
  const method = `${doc}  ${operation.name}(${argumentsOf(operation)}): Promise<${answer}>;\n`;
  if (!operation.dryRun) return method;
  const tried = `input: ${name}Input & { readonly dry_run: true }, options?: CallOptions | undefined`;
  return `${doc}  ${operation.name}(${tried}): Promise<${name}Answer & { readonly dry_run: true }>;\n${method}`;
}

function declareEach(operation: AnyOperation): string {
  const doc = docOf(`Every item of ${operation.name}, page after page.`, '  ');
  return `${doc}  ${operation.name}(${argumentsOf(operation)}): AsyncGenerator<${itemOf(operation)}, void, undefined>;\n`;
}

function declareRecord([name, schema]: readonly [string, Schema]): string {
  return `export interface ${name} {\n${membersOf(schema, styleFor(false, name))}}\n`;
}

function titledType(type: string): string {
  return type.split('.').map(titleCase).join('');
}

/** Returns one interface for each type of event: the members of every event, and its own payload. */
function declareEvents(): string {
  const { type: _, payload: __, ...properties } = eventSchema.properties ?? {};
  const required = (eventSchema.required ?? []).filter((name) => name in properties);
  const shared = membersOf({ properties, required }, output);
  const each = Object.entries(eventPayloads).map(([type, schema]) => {
    const payload = `${titledType(type)}Payload`;
    const members = membersOf(schema as unknown as Schema, fixed);
    const declared =
      members === ''
        ? `export type ${payload} = object;\n`
        : `export interface ${payload} {\n${members}}\n`;
    return `${declared}export interface ${titledType(type)}Event extends EventBase {\n  type: '${type}';\n  payload: ${payload};\n}\n`;
  });
  const types = Object.keys(eventPayloads);
  const table = (suffix: string) =>
    types.map((type) => `  '${type}': ${titledType(type)}${suffix};\n`).join('');
  return `interface EventBase {\n${shared}}\n${each.join('')}
/** Event type → its payload. */
export interface EventPayloads {\n${table('Payload')}}
interface EventsByType {\n${table('Event')}}
export type EventType = keyof EventsByType;
/** An event of one type, with the payload of that type. */
export type EventOf<T extends EventType> = EventsByType[T];
/**
 * An event of a participant: \`type\` determines the payload. A service that is newer than this client
 * may send other types: ignore them in the \`default\` of a \`switch\`.
 */
export type Event = EventsByType[EventType];\n`;
}

function table(name: string, rows: readonly string[]): string {
  return `export interface ${name} {\n${rows.map((row) => `  ${row};\n`).join('')}}\n`;
}

function declareTables(): string {
  const lists = operationList.filter(isList);
  return [
    table(
      'Inputs',
      operationList.map(({ name }) => `${name}: ${titleCase(name)}Input`),
    ),
    table(
      'Answers',
      operationList.map(({ name, dryRun }) => {
        const tried = dryRun ? ' & { readonly dry_run?: true }' : '';
        return `${name}: ${titleCase(name)}Answer${tried}`;
      }),
    ),
    table(
      'Replies',
      operationList.map((operation) => `${operation.name}: ${replyOf(operation)}`),
    ),
    table(
      'Items',
      lists.map((operation) => `${operation.name}: ${itemOf(operation)}`),
    ),
    `export type OperationName = keyof Inputs;\n`,
    `export type ProblemName = ${problemNames.map((name) => `'${name}'`).join(' | ')};\n`,
    `/** Operations that return pages. */\nexport type ListName = keyof Items;\n`,
    `/** Path parameters, query parameters and members of the body, side by side. */\nexport type InputOf<N extends OperationName> = Inputs[N];\n`,
    `/** Response body of an operation; undefined for 204. */\nexport type BodyAnswer<N extends OperationName> = Answers[N];\n`,
    `/** Status, body and headers of a response; \`status\` determines the body. */\nexport type ReplyOf<N extends OperationName> = Replies[N];\n`,
    `export type ItemOf<N extends ListName> = Items[N];\n`,
  ].join('\n');
}

/** Returns everything that depends on the contract: `types.d.ts` in place of `types.ts`. */
export function declarations(): string {
  const methods = operationList.map(declareMethod).join('\n');
  const replies = operationList.map((operation) => {
    const doc = docOf(`${operation.summary}: with status and head.`, '  ');
    return `${doc}  ${operation.name}(${argumentsOf(operation)}): Promise<${replyOf(operation)}>;\n`;
  });
  const each = operationList.filter(isList).map(declareEach);
  return [
    '// Generated from the contract by `npm run build -w packages/sdk`.\n',
    "import type { CallOptions, ReplyHead } from './call-options.ts';\n",
    Object.entries(records).map(declareRecord).join('\n'),
    declareEvents(),
    operationList.map((one) => `${declareInput(one)}${declareAnswer(one)}`).join('\n'),
    declareTables(),
    `export interface Methods {\n${methods}}\n`,
    `export interface ReplyMethods {\n${replies.join('')}}\n`,
    `export interface Lists {\n${each.join('')}}\n`,
  ].join('\n');
}
