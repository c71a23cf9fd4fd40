// Tests of the schema builders against TypeBox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import TypeBox from 'typebox';
import { Type } from './schema.ts';

/** Every builder, with and without options, and optional members of all kinds. */
function samples(build: typeof Type): readonly object[] {
  const text = build.String({ minLength: 1, description: 'a text' });
  const maybe = build.Optional(build.Integer({ minimum: 0 }));
  return [
    build.Array(text),
    build.Array(text, { maxItems: 3, uniqueItems: true }),
    build.Boolean(),
    build.Integer({ default: 20 }),
    build.Null({ description: 'nothing' }),
    build.Object({}),
    build.Object({ maybe }),
    build.Object({ text, maybe, again: build.Optional(maybe) }, { additionalProperties: false }),
    build.Object({ copied: { ...maybe }, list: build.Array(build.Object({ maybe, text })) }),
    build.String(),
    build.Tuple([build.Integer(), text], { description: 'a pair' }),
    build.Union([text, build.Null()]),
    build.Unsafe<'one'>({ type: 'string', enum: ['one'] }),
  ];
}

test('every builder makes the schema that TypeBox makes', () => {
  assert.equal(JSON.stringify(samples(Type)), JSON.stringify(samples(TypeBox)));
});

test('a builder leaves what it is given as it was', () => {
  const text = Type.String();
  assert.notEqual(Type.Optional(text), text);
  assert.deepEqual(Type.Object({ text }), {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' } },
  });
});
