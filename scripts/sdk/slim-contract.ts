// What the published client needs of the contract at run time, as code without schemas.
import * as contract from '@colophon/contract';
import { cursorOf, operationList, problemNames } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { isList } from './declare.ts';
import type { Schema } from './json-schema-type.ts';

function namesOf(schema: unknown): string {
  return Object.keys((schema as Schema | null | undefined)?.properties ?? {}).join(',');
}

/**
 * Returns an operation as a line of text, which compresses to half of the same as JSON: name, method and path,
 * names of query parameters, names of members of the body (`-` without one), marks, content types.
 */
function lineOf(operation: AnyOperation): string {
  const marks = [
    isList(operation) ? 'l' : '',
    operation.idempotency === undefined ? '' : 'i',
    operation.precondition === true ? 'p' : '',
    operation.upload === undefined ? '' : 'u',
  ];
  return [
    operation.name,
    operation.method,
    operation.path,
    namesOf(operation.querySchema),
    operation.body ? namesOf(operation.body) : '-',
    marks.join(''),
    (operation.contentTypes ?? []).join(','),
  ].join(' ');
}

/** The code of the client that reads the lines. */
const reading = `
const schemaOf = (names) => ({ properties: Object.fromEntries(names.split(',').filter(Boolean).map((name) => [name, 0])) });
export const operationList = lines.split('\\n').map((line) => {
  const [name, method, path, query, body, marks, types] = line.split(' ');
  return {
    name,
    method,
    path,
    params: [...path.matchAll(/{(\\w+)}/g)].map(([, param]) => param),
    querySchema: schemaOf(query),
    body: body === '-' ? undefined : schemaOf(body),
    answers: marks.includes('l') ? { 200: schemaOf('next_cursor') } : {},
    idempotency: marks.includes('i') ? 'accepted' : undefined,
    precondition: marks.includes('p'),
    upload: marks.includes('u') ? {} : undefined,
    contentTypes: types === '' ? undefined : types.split(','),
  };
});`;

/** Returns what the client needs of the contract at run time: names of members, without schemas. */
export function slimContract(): string {
  const { problems } = contract;
  const slim = problemNames.map((name) => {
    const { status, retryable } = problems[name];
    return [name, { status, retryable }];
  });
  return [
    `const lines = ${JSON.stringify(operationList.map(lineOf).join('\n'))};`,
    reading,
    'export const operations = Object.fromEntries(operationList.map((one) => [one.name, one]));',
    `export const problems = ${JSON.stringify(Object.fromEntries(slim))};`,
    'export const problemNames = Object.keys(problems);',
    cursorOf.toString().replace(/^function/, 'export function'),
  ].join('\n');
}
