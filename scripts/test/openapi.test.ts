// The OpenAPI document holds to the specification, as another project reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '@colophon/contract';
import { Validator } from '@seriousme/openapi-schema-validator';

test('the document of every operation is valid OpenAPI 3.1', async () => {
  const document = openApi({
    baseUrl: 'http://localhost:8080',
    errorsBaseUrl: 'http://localhost:8080/errors',
    version: 'v1',
  });
  const result = await new Validator().validate({ ...document });
  assert.ok(result.valid, JSON.stringify(result.errors, null, 2));
});
