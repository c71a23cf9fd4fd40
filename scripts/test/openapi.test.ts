// Tests of the OpenAPI document with two independent linters, and that they find faults.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '@colophon/contract';
import { openApiFaults } from '../openapi-linters.ts';

interface Schema {
  items?: unknown;
  prefixItems?: unknown;
}

interface Described {
  description?: string;
  parameters: { name: string; description?: string; example?: unknown }[];
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>;
}

const makeDocument = () =>
  openApi({
    baseUrl: 'https://colophon.example.org',
    errorsBaseUrl: 'https://colophon.example.org/errors',
    version: 'v1',
  }) as { openapi: string; paths: Record<string, Record<string, Described>> };

/** The operations that are made invalid below: linting a few of them is faster than linting all. */
function some(): ReturnType<typeof makeDocument> {
  const { paths, ...document } = makeDocument();
  const kept = ['/v1/meta', '/v1/search', '/v1/events'];
  return { ...document, paths: Object.fromEntries(kept.map((path) => [path, paths[path] ?? {}])) };
}

function readOf(document: ReturnType<typeof makeDocument>, path: string): Described {
  return document.paths[path]?.['get'] ?? assert.fail(path);
}

function answerOf(operation: Described): { schema: Schema; example?: unknown } {
  return operation.responses['200']?.content?.['application/json'] ?? assert.fail();
}

test('the document of every operation is valid OpenAPI 3.1', async () => {
  assert.deepEqual(await openApiFaults(makeDocument()), []);
});

/** A member without a description of its own that refers to nothing with one. */
function undescribedPlaces(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.entries(schema).flatMap(([name, value]) =>
    name === 'example' || name === 'examples' ? [] : undescribedPlaces(value, `${place}/${name}`),
  );
  const { properties, type } = schema as { properties?: object; type?: unknown };
  if (type === undefined || properties === undefined) return inside;
  const silent = Object.entries(properties).filter(
    ([, member]: [string, object]) => !('description' in member) && !('$ref' in member),
  );
  return [...inside, ...silent.map(([name]) => `${place}/${name}`)];
}

test('every member of every body has a description', () => {
  assert.deepEqual(undescribedPlaces(makeDocument(), ''), []);
});

/** Components of the operations that were left out are unused. */
const faultsOfSome = async (document: object) =>
  (await openApiFaults(document)).filter((fault) => !fault.startsWith('no-unused-components'));

test('a document of some operations is valid too', async () => {
  assert.deepEqual(await faultsOfSome(some()), []);
});

const faults: Readonly<Record<string, (document: ReturnType<typeof makeDocument>) => void>> = {
  'a tuple of draft 07': (document) => {
    answerOf(readOf(document, '/v1/meta')).schema.items = [{ type: 'integer' }];
  },
  'a parameter without a description': (document) => {
    delete readOf(document, '/v1/search').parameters[0]?.description;
  },
  'an operation without a description': (document) => {
    delete readOf(document, '/v1/search').description;
  },
  'an example of an answer that does not fit': (document) => {
    answerOf(readOf(document, '/v1/events')).example = { items: 'none' };
  },
  'an example of a parameter that does not fit': (document) => {
    const parameter = readOf(document, '/v1/events').parameters.find(({ name }) => name === 'wait');
    (parameter ?? assert.fail()).example = 'long';
  },
  'an operation without answers': (document) => {
    readOf(document, '/v1/search').responses = {};
  },
};
for (const [name, spoil] of Object.entries(faults)) {
  test(`the linters see ${name}`, async () => {
    const document = some();
    spoil(document);
    assert.notDeepEqual(await faultsOfSome(document), []);
  });
}
