// The examples of the OpenAPI document satisfy the contract as the server checks it, closed schemas included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi, operationList } from '@colophon/contract';
import { Ajv } from 'ajv';

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { example?: unknown }>> }>
  >;
}

const document = openApi({
  baseUrl: 'https://example.org',
  errorsBaseUrl: 'https://example.org/errors',
  version: 'v1',
}) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

function assertFits(schema: object, example: unknown, place: string): void {
  const validate = ajv.compile(schema);
  assert.ok(validate(example), `${place}: ${ajv.errorsText(validate.errors)}`);
}

for (const { name, path, method, body, answers, contentTypes } of operationList) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (body) {
    test(`${name}: the example of its body fits its own schema`, () => {
      assertFits(body, operation?.requestBody?.content['application/json']?.example, 'body');
    });
  }
  for (const [status, schema] of Object.entries(contentTypes === undefined ? answers : {})) {
    if (schema === null) continue;
    test(`${name}: the example of ${status} fits its own schema`, () => {
      const content = operation?.responses[status]?.content;
      assertFits(schema, content?.['application/json']?.example, status);
    });
  }
}
