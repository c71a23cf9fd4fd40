// Tests of the OpenAPI document: complete, without dangling references, and true to the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from './openapi.ts';
import { operationList } from './operations.ts';
import { problems } from './problems.ts';
import { eventTypes } from './vocabulary.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Record<string, unknown>;
}

interface Reply {
  readonly $ref?: string;
  readonly headers: Record<string, unknown>;
  readonly content?: Record<string, { readonly schema: Record<string, unknown> }>;
}

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Record<string, Reply>;
  readonly [extension: `x-${string}`]: unknown;
}

interface Document {
  readonly openapi: string;
  readonly servers: unknown;
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: Record<string, Record<string, Reply>>;
}

const options = {
  baseUrl: 'https://example.org',
  errorsBaseUrl: 'https://example.org/errors',
  version: '1.2.3',
};
const document = openApi(options) as Document;
const described = Object.values(document.paths).flatMap((path) => Object.values(path));

function operationOf(name: string): Described {
  const found = described.find(({ operationId }) => operationId === name);
  assert.ok(found, name);
  return found;
}

function follow(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>(
      (place, name) => (place as Record<string, unknown> | undefined)?.[name],
      document,
    );
}

function parameterOf(operation: string, name: string): Parameter {
  const found = operationOf(operation).parameters.find(
    (one) => one.name === name || one.$ref?.endsWith(`/${name}`),
  );
  return found ?? assert.fail(`${operation} has no ${name}`);
}

function answerOf(operation: string, status: number): Record<string, unknown> {
  const reply = operationOf(operation).responses[status];
  return (
    reply?.content?.['application/json']?.schema ?? assert.fail(`${operation} has no ${status}`)
  );
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref') yield member as string;
    else yield* references(member);
  }
}

test('every operation is there once, at its path and method', () => {
  assert.equal(described.length, operationList.length);
  for (const { name, path, method } of operationList) {
    assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, name);
  }
});

test('every reference leads somewhere, and every component is used', () => {
  const found = new Set(references(document));
  for (const reference of found) assert.ok(follow(reference), reference);
  for (const kind of ['schemas', 'responses', 'headers'] as const) {
    for (const name of Object.keys(document.components[kind] ?? {})) {
      assert.ok(found.has(`#/components/${kind}/${name}`), `${kind}/${name}`);
    }
  }
});

test('every problem of an operation is under its status, with its type', () => {
  for (const { name, allProblems } of operationList) {
    const { responses } = operationOf(name);
    for (const problem of allProblems) {
      const { $ref = '' } = responses[problems[problem].status] ?? {};
      const { content = {} } = follow($ref) as Reply;
      const types = JSON.stringify(content['application/problem+json']?.schema['properties']);
      assert.ok(types.includes(`"https://example.org/errors/${problem}"`), `${name}: ${problem}`);
    }
  }
});

test('every success has its status, its schema and its headers', () => {
  for (const { name, answers, contentTypes } of operationList) {
    const { responses } = operationOf(name);
    for (const [status, schema] of Object.entries(answers)) {
      const reply = responses[status];
      assert.ok(reply?.headers['X-Request-Id'], `${name} ${status}`);
      const hasContent = schema !== null || contentTypes !== undefined;
      assert.equal(reply.content !== undefined, hasContent, `${name} ${status}`);
    }
  }
  const { headers } = operationOf('createRevision').responses['201'] ?? assert.fail();
  assert.deepEqual(Object.keys(headers), [
    'X-Request-Id',
    'ETag',
    'Location',
    'Idempotency-Replayed',
  ]);
  assert.deepEqual(Object.keys(operationOf('listTokens').responses['200']?.headers ?? {}), [
    'X-Request-Id',
    'Link',
  ]);
  assert.ok(operationOf('readArticle').responses['304']);
});

test('bytes have their types and no schema, whole and in part', () => {
  const { responses } = operationOf('readMediaContent');
  for (const status of ['200', '206']) {
    const { content = {} } = responses[status] ?? assert.fail(status);
    assert.deepEqual(content['image/png'], {});
    assert.equal(content['application/json'], undefined);
  }
  assert.ok(responses['206']?.headers['Content-Range']);
  assert.ok(responses['304'] && responses['416']);
  for (const name of ['Range', 'If-None-Match'])
    assert.equal(parameterOf('readMediaContent', name).$ref, `#/components/parameters/${name}`);
  assert.deepEqual(parameterOf('readMediaContent', 'w').schema, {
    type: 'integer',
    enum: [320, 640, 1280],
  });
});

test('path, query and header parameters', () => {
  const id = parameterOf('createRevision', 'id');
  assert.deepEqual(
    [id.in, id.required, id.schema],
    ['path', true, { $ref: '#/components/schemas/Id' }],
  );
  const dryRun = parameterOf('createRevision', 'dry_run');
  assert.deepEqual(
    [dryRun.in, dryRun.required, dryRun.schema],
    ['query', undefined, { type: 'boolean' }],
  );
  const key = parameterOf('createRevision', 'Idempotency-Key');
  assert.deepEqual([key.in, key.required], ['header', true]);
  assert.deepEqual([key.schema['minLength'], key.schema['maxLength']], [8, 255]);
  assert.equal(parameterOf('createRevision', 'If-Match').$ref, '#/components/parameters/If-Match');
  assert.deepEqual(parameterOf('listArticles', 'limit').schema, {
    type: 'integer',
    minimum: 1,
    maximum: 100,
  });
});

test('what is asked of the caller is said for machines and for people', () => {
  const publish = operationOf('publishArticle');
  assert.deepEqual(publish.security, [{ bearer: ['articles:publish'] }]);
  assert.equal(publish['x-required-scope'], 'articles:publish');
  assert.equal(publish['x-quota'], 'articles.publish');
  assert.equal(publish['x-idempotency'], 'required');
  assert.match(publish.description, /scope `articles:publish`/);
  assert.equal(publish.requestBody?.required, false);
  assert.equal(operationOf('createArticle').requestBody?.required, true);
  assert.deepEqual(operationOf('readArticle').security, [{}, { bearer: [] }]);
  assert.deepEqual(operationOf('readMe').security, [{ bearer: [] }]);
});

test('a trial has an answer of its own', () => {
  assert.ok((answerOf('createArticle', 200)['required'] as string[]).includes('dry_run'));
  assert.equal((answerOf('updateArticle', 200)['anyOf'] as unknown[]).length, 2);
});

/** Every schema with its place in the document. */
function* schemasIn(value: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if ('properties' in value || 'type' in value) yield [place, value as Schema];
  for (const [name, member] of Object.entries(value))
    if (name !== 'example') yield* schemasIn(member, `${place}/${name}`);
}

interface Schema {
  readonly properties?: Readonly<Record<string, { $ref?: string; description?: string }>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
}

test('every parameter and every member has a description', () => {
  const bare = [...schemasIn(document, '')].flatMap(([place, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, one]) => one.$ref === undefined && (one.description ?? '').length < 4)
      .map(([name]) => `${place}: ${name}`),
  );
  assert.deepEqual(bare, []);
  for (const { operationId, parameters } of described) {
    for (const one of parameters) {
      const { description } = (one.$ref === undefined ? one : follow(one.$ref)) as Described;
      assert.ok(description, `${operationId}: ${one.name}`);
    }
  }
});

test('types of events and metadata.topics are described where they occur', () => {
  const type = parameterOf('listEvents', 'type') as unknown as Described;
  for (const name of eventTypes) assert.ok(type.description.includes(`\`${name}\``), name);
  const { metadata } = (follow('#/components/schemas/Article') as Schema).properties ?? {};
  assert.match(metadata?.description ?? '', /`metadata\.topics`/);
});

test('answers are open for members to come, bodies are closed, tuples are those of 2020-12', () => {
  for (const [place, schema] of schemasIn(document, '')) {
    const isBody = place.includes('/requestBody/');
    if (!isBody) assert.notEqual(schema.additionalProperties, false, place);
    assert.ok(!Array.isArray(schema.items), place);
  }
  for (const { name, body } of operationList) {
    if (!body) continue;
    const { requestBody } = operationOf(name) as unknown as {
      requestBody: { content: Record<string, { schema: Schema }> };
    };
    assert.equal(requestBody.content['application/json']?.schema.additionalProperties, false);
  }
  assert.ok(JSON.stringify(answerOf('search', 200)).includes('"prefixItems"'));
});

test('every operation has an example of its request, its parameters and its answers', () => {
  for (const operation of described) {
    const [sample] = operation['x-codeSamples'] as readonly { readonly source: string }[];
    assert.match(sample?.source ?? '', /^curl -X [A-Z]+ 'https:\/\/example\.org\/v1\//);
    assert.ok(!sample?.source.includes('{id}'));
    for (const one of operation.parameters.filter(
      ({ $ref, in: place }) => !$ref && place !== 'header',
    ))
      assert.ok('example' in one, `${operation.operationId}: ${one.name}`);
    for (const reply of Object.values(operation.responses)) {
      const json = reply.content?.['application/json'];
      if (json !== undefined) assert.ok('example' in json, operation.operationId);
    }
  }
});

test('only keywords of JSON Schema and extensions are left, and nothing that JSON loses', () => {
  assert.ok(!JSON.stringify(document).includes('"maxBytes"'));
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});
