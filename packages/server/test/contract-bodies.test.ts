// What is true of every body of the contract, made from the contract itself: each field with each kind of wrong value.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operationList } from '@colophon/contract';
import type { OperationName } from '@colophon/contract';
import { assertProblem, startServer } from './harness.ts';
import type { Asked, Response } from './harness.ts';
import { dealInTurn } from './faults/sampled.ts';
import { seed } from './seed.ts';
import { assertFault } from './problem-checks.ts';
import { askedOf, openWorld, pathOf, samples } from './samples.ts';
import { bodyWith, fieldsOf, tooLong, typesOf, wrongTypes } from './schema-fields.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const world = await openWorld(server);
const withBody = operationList.filter(({ body }) => body);
after(() => process.stdout.write(`# SEED=${seed}\n`));

test('every POST and PATCH declares its body: no member is ignored', () => {
  const writes = operationList.filter(({ method }) => method === 'POST' || method === 'PATCH');
  const silent = writes.filter(({ body }) => !body).map(({ name }) => name);
  assert.deepEqual(silent, []);
});

// What is refused before the schema of an operation is looked at: the operations share the values.
const unknownMembers = dealInTurn(
  ['no_such_member', 'a/b~c', '', '$where', 'constructor', 'toString', 'TITLE'],
  2,
);
const strings = dealInTurn(
  [
    ['a\0b', 'nul'],
    ['\0', 'nul'],
    ['a\ud800b', 'lone-surrogate'],
    ['\udc00\ud800', 'lone-surrogate'],
  ] as const,
  2,
);
const otherJson = dealInTurn(['[]', 'null', '"text"', '5', 'true'], 2);
/** Made of the body of a request that succeeds. */
const broken = dealInTurn<(good: string) => string | Buffer>(
  [
    () => '{',
    () => '}',
    (good) => `${good} x`,
    (good) => `${good}${good}`,
    (good) => good.replace('{', '{,'),
    (good) => `${good.slice(0, -1)},}`,
    () => "{'a':1}",
    () => '{a:1}',
    () => '{"a":01}',
    () => '{"a":NaN}',
    () => '{"a":"\t"}',
    () => '{"a":"\\x"}',
    () => '// x\n{}',
    (good) => `\ufeff${good}`,
    () => '   ',
    () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    (good) => Buffer.from(good, 'utf16le'),
    () => Buffer.from('{"a":"\u0001"}'),
    () => Buffer.from([0xc0, 0x80]),
  ],
  4,
);
const otherTypes = dealInTurn(
  [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json, text/plain',
    'json',
  ],
  2,
);
const encodings = dealInTurn(['gzip', 'br', 'deflate', 'gzip, gzip', 'x'], 1);
const spellings = dealInTurn(
  [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ],
  1,
);
const tooMuch = dealInTurn(
  [
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'too-deep'],
    [`[${'1,'.repeat(5001)}1]`, 'too-many-members'],
    ['1e400', 'number-range'],
    ['9007199254740993', 'number-range'],
  ] as const,
  2,
);

test('there are operations with bodies', () => {
  assert.ok(withBody.length >= 6);
});

for (const operation of withBody) {
  const { name, method } = operation;
  const sample = await samples[name as OperationName](world);
  const whole = sample.body ?? {};
  const schema = operation.body ?? {};
  const { body: sent } = askedOf(operation, sample, world.human.token);
  /** A caller that a success ends cannot send the next request. */
  const send = async (message: Asked): Promise<Response> => {
    const by = sample.token === undefined ? sample : await samples[name as OperationName](world);
    const { body: _, ...asked } = askedOf(operation, by, world.human.token);
    return server.ask(method, pathOf(operation, by.params), { ...asked, ...message });
  };
  const ask = (body: unknown): Promise<Response> => send({ body });
  const raw = (
    bytes: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => send({ raw: bytes, headers });
  const good = JSON.stringify(sent);

  test(`${name}: 422 validation-failed for an unknown member, with those that are taken`, async () => {
    const known = Object.keys((schema as { properties: object }).properties);
    for (const unknown of unknownMembers()) {
      const pointer = `/${unknown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const fault = assertFault(await ask({ ...whole, [unknown]: 1 }), pointer, 'unknown');
      assert.deepEqual(fault.allowed_values, known);
    }
  });

  test(`${name}: 422 validation-failed for every missing member that is required, all at once`, async () => {
    const { required = [] } = schema as { required?: readonly string[] };
    if (required.length === 0) return;
    const refused = await ask({});
    for (const member of required) assertFault(refused, `/${member}`, 'required');
    assert.equal(refused.body.errors.length, required.length);
  });

  for (const field of fieldsOf(schema)) {
    const { pointer } = field;

    test(`${name}: 422 validation-failed at ${pointer} for a value of another type`, async () => {
      for (const value of wrongTypes(field.schema)) {
        const fault = assertFault(await ask(bodyWith(whole, pointer, value)), pointer);
        assert.ok(['type', 'enum'].includes(fault.code), fault.code);
      }
    });

    if (!typesOf(field.schema).includes('string')) continue;

    test(`${name}: 422 validation-failed at ${pointer} for NUL and for half a surrogate pair`, async () => {
      for (const [value, code] of strings()) {
        assertFault(await ask(bodyWith(whole, pointer, value)), pointer, code);
      }
    });

    const long = tooLong(field.schema);
    if (long !== undefined) {
      test(`${name}: 422 validation-failed at ${pointer} for one character too many, counted in code points`, async () => {
        assertFault(await ask(bodyWith(whole, pointer, long)), pointer, 'too-long');
        const fits = await ask(bodyWith(whole, pointer, [...long].slice(0, -1).join('')));
        const codes = (fits.body.errors ?? [])
          .filter((fault: { pointer: string }) => fault.pointer === pointer)
          .map(({ code }: { code: string }) => code);
        assert.ok(!codes.includes('too-long'), JSON.stringify(fits.body));
      });
    }

    if (field.schema.enum !== undefined) {
      test(`${name}: 422 validation-failed at ${pointer} for a value off the list, with the list`, async () => {
        const fault = assertFault(await ask(bodyWith(whole, pointer, 'nonsense')), pointer, 'enum');
        assert.deepEqual(fault.allowed_values, field.schema.enum);
      });
    }
  }

  test(`${name}: 422 validation-failed for JSON that is not an object`, async () => {
    for (const bytes of otherJson()) assertFault(await raw(bytes), '', 'type');
  });

  test(`${name}: 400 invalid-request for what is not JSON in UTF-8`, async () => {
    for (const bodyOf of broken()) assertProblem(await raw(bodyOf(good)), 'invalid-request');
  });

  test(`${name}: 400 invalid-request for an empty body where members are required`, async () => {
    const { required = [] } = schema as { required?: readonly string[] };
    if (required.length > 0) assertProblem(await raw(''), 'invalid-request');
  });

  test(`${name}: 400 invalid-request for another Content-Type, charset or Content-Encoding`, async () => {
    for (const type of otherTypes()) {
      const refused = await raw(good, { 'content-type': type });
      assertProblem(refused, 'invalid-request');
      assert.match(refused.body.detail, /Content-Type: application\/json/);
    }
    for (const encoding of encodings()) {
      assertProblem(await raw(good, { 'content-encoding': encoding }), 'invalid-request');
    }
  });

  test(`${name}: a success for every spelling of the Content-Type`, async () => {
    for (const type of spellings()) {
      const fresh = await samples[name as OperationName](world);
      const request = {
        ...askedOf(operation, fresh, world.human.token),
        headers: { 'content-type': type },
      };
      const { status, body } = await server.ask(method, pathOf(operation, fresh.params), request);
      assert.ok(status < 300, JSON.stringify(body));
    }
  });

  test(`${name}: 422 validation-failed for a name twice, __proto__, and what is too deep or too much`, async () => {
    const [first = 'none'] = Object.keys(whole);
    const members = JSON.stringify({ [first]: 1, ...whole }).slice(1);
    const twice = await raw(`{"${first}":1,${members}`);
    assertFault(twice, `/${first}`, 'duplicate-name');
    assertFault(await raw(`{"__proto__":1,${members}`), '/__proto__', 'forbidden-name');
    for (const [value, code] of tooMuch()) {
      const refused = await raw(`{"${first}":${value}}`);
      assertProblem(refused, 'validation-failed');
      assert.equal(refused.body.errors[0].code, code);
    }
  });

  test(`${name}: 413 payload-too-large, on the header and on the bytes, naming the limit`, async () => {
    const refused = await raw(`{"x":"${'x'.repeat(operation.bodyLimit)}"}`);
    assertProblem(refused, 'payload-too-large');
    assert.ok(refused.body.detail.includes(String(operation.bodyLimit)));
  });
}
