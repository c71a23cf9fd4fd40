// The texts of a new operation: its declaration, its file in the server, and its test.
import type { Access, Method } from '@colophon/contract';

export interface NewOperation {
  readonly name: string;
  readonly area: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
}

/** `listOwnComments` → `list-own-comments`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What the operation answers until it is written, as source text. */
interface Answer {
  readonly status: number;
  readonly schema: string;
  /** Names of fields.ts that the declaration uses. */
  readonly fields: readonly string[];
  readonly handler: string;
  /** Checks `body` in the test. */
  readonly check: string;
}

const record = 'closedObject({ created_at: Timestamp })';

function answerOf({ method, name }: NewOperation): Answer {
  if (method === 'DELETE') {
    const handler = 'async () => ({ status: 204, body: undefined })';
    return { status: 204, schema: 'null', fields: [], handler, check: '' };
  }
  if (method === 'GET' && name.startsWith('list')) {
    const body = '{ items: [], next_cursor: null }';
    return {
      status: 200,
      schema: `page(${record})`,
      fields: ['closedObject', 'page', 'pageQuery', 'Timestamp'],
      handler: `async () => ({ status: 200, body: ${body} })`,
      check: `  assert.deepEqual(body, ${body});\n`,
    };
  }
  const status = method === 'POST' && /^(?:create|register|issue)/.test(name) ? 201 : 200;
  return {
    status,
    schema: record,
    fields: ['closedObject', 'Timestamp'],
    handler: `async ({ now }) => ({ status: ${status}, body: { created_at: now.toISOString() } })`,
    check: "  assert.deepEqual(Object.keys(body), ['created_at']);\n",
  };
}

/** A key belongs to an account, so an operation that needs no account takes none. */
const takesKey = ({ method, access }: NewOperation) => method === 'POST' && access !== 'public';

/** The names that the declaration imports from fields.ts. */
export function fieldsOf(operation: NewOperation): readonly string[] {
  return answerOf(operation).fields;
}

/** Returns the entry of the contract. It takes no body. */
export function declarationOf(operation: NewOperation): string {
  const { name, method, path, access, summary } = operation;
  const { status, schema, fields } = answerOf(operation);
  return `
export const ${name} = operation('${name}', {
  method: '${method}',
  path: '${path}',
  summary: '${summary.replaceAll("'", '’')}',
  access: '${access}',${fields.includes('pageQuery') ? '\n  query: { ...pageQuery },' : ''}
  answers: { ${status}: ${schema} },
  problems: [],${takesKey(operation) ? "\n  idempotency: 'required'," : ''}
});
`;
}

/** Returns a file of the contract without operations. */
export function contractFileOf({ summary }: NewOperation): string {
  return `// ${summary}.\nimport { operation } from '../operation.ts';\n`;
}

/** Returns the file of the operation in its area. */
export function implementationOf(operation: NewOperation): string {
  const { name, method, path, summary } = operation;
  return `// ${method} ${path}: ${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}.
import { operations } from '@colophon/contract';
import { implement } from '#http';

export const ${name} = implement(operations.${name})(${answerOf(operation).handler});
`;
}

/** The path in the source of the test; the account of the test stands for every object. */
function placeOf({ path }: NewOperation): string {
  const place = path.replaceAll(
    /\{(\w+)\}/g,
    (_, param: string) => `\${human.${param === 'username' ? param : 'id'}}`,
  );
  return place === path ? `'${path}'` : `\`${place}\``;
}

function successOf(operation: NewOperation): string {
  const { status, check } = answerOf(operation);
  const asked = [
    ...(operation.access === 'public' ? [] : ['token']),
    ...(takesKey(operation) ? ['key: true'] : []),
  ];
  const sent = asked.length === 0 ? '' : `, { ${asked.join(', ')} }`;
  return `
test('${status}', async () => {
  const { status${check === '' ? '' : ', body'} } = await server.ask('${operation.method}', ${placeOf(operation)}${sent});
  assert.equal(status, ${status});
${check}});
`;
}

function refusalOf(operation: NewOperation): string {
  return `
test('401 unauthenticated without a token', async () => {
  assertProblem(await server.ask('${operation.method}', ${placeOf(operation)}), 'unauthenticated');
});
`;
}

/** Returns the test of the operation: its success, and its refusal without a token if it needs one. */
export function testOf(operation: NewOperation): string {
  const { method, path, access } = operation;
  const isOpen = access === 'public';
  const isAdmin = access.startsWith('admin:');
  const human = 'const human = await server.register();\n';
  const token = isAdmin
    ? `const token = await storeToken(server, human.id, ['${access}']);\n`
    : 'const { token } = human;\n';
  return [
    `// ${method} ${path} over HTTP.\n`,
    "import assert from 'node:assert/strict';\nimport { after, test } from 'node:test';\n",
    isAdmin ? "import { storeToken } from '#test/accounts';\n" : '',
    `import { ${isOpen ? '' : 'assertProblem, '}startServer } from '#test/harness';\n\n`,
    'const server = await startServer();\nafter(() => server[Symbol.asyncDispose]());\n',
    isOpen && !path.includes('{') ? '' : human,
    isOpen ? '' : token,
    successOf(operation),
    isOpen ? '' : refusalOf(operation),
  ].join('');
}
