// Code samples: the example request of an operation as a shell command and as a call of the TypeScript client.
import { needsPrecondition } from './operation.ts';
import type { AnyOperation } from './operation.ts';
import { bodyExample, exampleOf, parameterExample } from './openapi-examples.ts';
import type { Json } from './openapi-schemas.ts';

export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript';
  readonly source: string;
}

/** The longest line that a value takes in a sample. */
const lineMax = 72;

/** The file that samples upload. */
const uploaded = 'heron.png';

/** Returns the query parameters that must be sent, each with an example. */
function queryExample({ querySchema }: AnyOperation): Json {
  const { required = [], properties = {} } = querySchema as {
    readonly required?: readonly string[];
    readonly properties?: Json;
  };
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name], name)]));
}

function addressOf(operation: AnyOperation): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameterExample(name));
  const query = Object.entries(queryExample(operation)).map(([name, value]) => [
    name,
    String(value),
  ]);
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return `'${escaped.replaceAll("'", String.raw`\'`)}'`;
}

interface Notation {
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
  readonly lastComma: string;
}

const json: Notation = {
  text: JSON.stringify,
  name: JSON.stringify,
  lastComma: '',
};
const typeScript: Notation = { text: quote, name: (name) => name, lastComma: ',' };

/** Returns a value as text: on one line where it fits, else with one member on each line. */
function formatValue(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  const parts = Array.isArray(value)
    ? value.map((one) => formatValue(one, notation, inner))
    : Object.entries(value).map(
        ([name, one]) => `${notation.name(name)}: ${formatValue(one, notation, inner)}`,
      );
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (indent.length + line.length <= lineMax) return line;
  const lines = parts.map((part) => inner + part).join(',\n');
  return `${open}\n${lines}${notation.lastComma}\n${indent}${close}`;
}

/** Returns the request as a shell command: path, headers and body. */
function shellSample(operation: AnyOperation, baseUrl: string): string {
  const { access, body, idempotency, method, upload } = operation;
  return [
    `curl -X ${method} '${baseUrl}${addressOf(operation)}'`,
    ...(access === 'public' ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(idempotency === undefined ? [] : [`-H "Idempotency-Key: $(uuidgen)"`]),
    ...(needsPrecondition(operation)
      ? [`-H 'If-Match: "${parameterExample('revision_id')}"'`]
      : []),
    ...(upload === undefined
      ? []
      : ["-H 'Content-Type: application/octet-stream'", `--data-binary @${uploaded}`]),
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${formatValue(bodyExample(operation), json, '  ')}'`,
        ]
      : []),
    ...(operation.contentTypes === undefined ? [] : ['-o file']),
  ].join(' \\\n  ');
}

/** Returns path, query and body members side by side, as the client takes them. */
function inputOf(operation: AnyOperation): string {
  const { body, params, upload } = operation;
  const members = {
    ...Object.fromEntries(params.map((name) => [name, parameterExample(name)])),
    ...queryExample(operation),
    ...(needsPrecondition(operation) ? { if_match: parameterExample('revision_id') } : {}),
    ...(body ? bodyExample(operation) : {}),
  };
  if (upload !== undefined) return formatValue(members, typeScript).replace(/ \}$/, ', bytes }');
  return Object.keys(members).length === 0 ? '' : formatValue(members, typeScript);
}

function isList({ answers }: AnyOperation): boolean {
  const { properties = {} } = (answers[200] ?? {}) as { readonly properties?: Json };
  return 'items' in properties && 'next_cursor' in properties;
}

/** Returns the call of the TypeScript client, with `client` given. */
export function clientCall(operation: AnyOperation): string {
  const { answers, contentTypes, name, upload } = operation;
  const given = inputOf(operation);
  if (isList(operation))
    return `for await (const item of client.each.${name}(${given})) {\n  console.log(item);\n}`;
  const call = `await client.${name}(${given});`;
  if (answers[204] !== undefined) return call;
  const read = upload === undefined ? '' : `const bytes = await readFile('${uploaded}');\n`;
  return `${read}const ${contentTypes === undefined ? 'answer' : 'file'} = ${call}`;
}

/** Returns a whole program around the call. */
function clientSample(operation: AnyOperation, baseUrl: string): string {
  const options =
    operation.access === 'public'
      ? `{ baseUrl: '${baseUrl}' }`
      : `{\n  baseUrl: '${baseUrl}',\n  token: process.env.TOKEN,\n}`;
  return [
    ...(operation.upload === undefined ? [] : ["import { readFile } from 'node:fs/promises';"]),
    "import { createClient } from '@colophon/sdk';",
    '',
    `const client = createClient(${options});`,
    clientCall(operation),
  ].join('\n');
}

/** Returns the samples of an operation. A test runs each of them against the service. */
export function codeSamples(operation: AnyOperation, baseUrl: string): readonly CodeSample[] {
  return [
    { lang: 'Shell', source: shellSample(operation, baseUrl) },
    { lang: 'TypeScript', source: clientSample(operation, baseUrl) },
  ];
}
