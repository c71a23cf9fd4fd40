// Members of schemas in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Id, Timestamp } from '@colophon/contract';
import { fieldOf, fieldsOf } from './schema-fields.ts';
import type { Schema } from './schema-fields.ts';

const shared = {
  Id: Id as Schema,
  Author: { type: 'object', required: ['id'], properties: { id: Id as Schema } },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const cases: readonly (readonly [schema: Schema, type: string, limits: string])[] = [
  [{ type: 'string' }, 'string', ''],
  [{ type: 'string', minLength: 1, maxLength: 300 }, 'string', '1 to 300 characters'],
  [{ type: ['string', 'null'], maxLength: 2048 }, 'string or null', 'at most 2,048 characters'],
  [{ type: 'string', minLength: 86, maxLength: 86 }, 'string', '86 characters'],
  [{ type: 'string', minLength: 1, 'x-max-bytes': 16_384 }, 'string', 'at most 16,384 bytes'],
  [{ type: 'integer', minimum: 0, maximum: 3 }, 'integer', '0 to 3'],
  [{ type: 'integer', minimum: 1 }, 'integer', 'at least 1'],
  [Timestamp as Schema, 'timestamp', ''],
  [ref('Id'), 'id', ''],
  [{ type: 'array', items: ref('Author'), maxItems: 2 }, 'list of objects', 'at most 2 items'],
  [{ type: 'array', items: {} }, 'list of values', ''],
  [{ anyOf: [ref('Author'), { type: 'null' }] }, 'object or null', ''],
];

for (const [schema, type, limits] of cases) {
  test(`${JSON.stringify(schema).slice(0, 60)} is ${type}, ${limits}`, () => {
    const field = fieldOf('x', { schema, required: true }, shared);
    assert.deepEqual([field.type, field.limits], [type, limits]);
  });
}

test('allowed values without null, also those of the items of a list', () => {
  const kinds: Schema = { type: ['string', 'null'], enum: ['a', 'b', null] };
  for (const schema of [kinds, { type: 'array', items: kinds }])
    assert.deepEqual(fieldOf('x', { schema, required: false }, {}).values, ['a', 'b']);
  const only = { type: 'boolean', const: true } as const;
  assert.deepEqual(fieldOf('x', { schema: only, required: false }, {}).values, ['true']);
});

test('members of objects, of lists of objects, and of references', () => {
  const schema = {
    type: 'object',
    properties: { authors: { type: 'array', items: ref('Author') } },
  };
  const [authors] = fieldsOf(schema, shared);
  assert.equal(authors?.required, false);
  assert.deepEqual(
    authors?.fields.map(({ name, required, type }) => [name, required, type]),
    [['id', true, 'id']],
  );
});
