// Tests of JSON input: what is rejected and where, and the cost of hostile bodies.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseJson } from './json-input.ts';
import type { ParsedJson } from './json-input.ts';

const LIMITS = { maxDepth: 32, maxMembers: 5000 };

function parse(text: string): ParsedJson {
  return parseJson(Buffer.from(text), LIMITS);
}

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function zeros(count: number): string {
  return `[${Array.from({ length: count }, () => '0').join(',')}]`;
}

test('accepts what JSON.parse accepts, with the same value', () => {
  const texts = [
    '0',
    '-0',
    '1',
    '-1.5e+3',
    '1E2',
    '""',
    '"a"',
    'true',
    'false',
    'null',
    '[]',
    '{}',
    ' [ ] ',
    '\t{\r\n}\n',
    '[1,2,[3,{"a":[]}]]',
    '{"a":{"b":"c"},"d":[null,true]}',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\uDE00"',
    '"é 日本語 😀 \u2028"',
    '9007199254740991',
    '-9007199254740991',
    '9007199254740991.25',
    '1e308',
    '1e-400',
    '12345678901234567890e-5',
    '{"":1,"a":2,"A":3}',
    '{"constructor":1,"prototype":2}',
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '0.1234567890123456789012345678901234567890',
    '"\u007f"',
    '"\\u0001"',
  ];
  for (const text of texts) {
    assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) }, text);
  }
});

test('broken grammar names the place and what was expected', () => {
  const cases: [string, string][] = [
    ['', 'ends too early at line 1, column 1: expected a value.'],
    ['{"a":1', 'ends too early at line 1, column 7: expected a comma or }.'],
    ['[1 2]', 'is broken at line 1, column 4: expected a comma or ].'],
    ['{"é":"日",\n "b" 1}', 'is broken at line 2, column 6: expected a colon.'],
    ['[1,]', 'is broken at line 1, column 4: expected a value.'],
    ['{a:1}', 'is broken at line 1, column 2: expected a name in double quotes.'],
    ['{"a":1,}', 'is broken at line 1, column 8: expected a name in double quotes.'],
    ['1 x', 'is broken at line 1, column 3: expected nothing more.'],
    ['01', 'is broken at line 1, column 2: expected nothing more.'],
    ['-', 'ends too early at line 1, column 2: expected a digit.'],
    ['1.x', 'is broken at line 1, column 3: expected a digit.'],
    ['1e+', 'ends too early at line 1, column 4: expected a digit.'],
    ['tru', 'is broken at line 1, column 1: expected true, false or null.'],
    ['NaN', 'is broken at line 1, column 1: expected a value.'],
    ['"a', 'ends too early at line 1, column 3: expected a closing quote.'],
    ['"\\x"', 'is broken at line 1, column 2: expected a JSON escape sequence.'],
    ['"\\u12G4"', 'is broken at line 1, column 2: expected a JSON escape sequence.'],
    ['"\\u12', 'is broken at line 1, column 2: expected a JSON escape sequence.'],
    ['"\\', 'is broken at line 1, column 2: expected a JSON escape sequence.'],
    [
      '"a\nb"',
      'is broken at line 1, column 3: expected an escape sequence instead of this control character.',
    ],
    [
      '"a\0b"',
      'is broken at line 1, column 3: expected an escape sequence instead of this control character.',
    ],
    [
      '"\u001f"',
      'is broken at line 1, column 2: expected an escape sequence instead of this control character.',
    ],
    ['[1]\0', 'is broken at line 1, column 4: expected nothing more.'],
    ['\u00a01', 'is broken at line 1, column 1: expected a value.'],
    ['{]', 'is broken at line 1, column 2: expected a name in double quotes.'],
    ['[}', 'is broken at line 1, column 2: expected a value.'],
  ];
  for (const [text, detail] of cases) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assert.deepEqual(
      parse(text),
      { ok: false, kind: 'grammar', code: 'grammar', detail: `The JSON ${detail}` },
      text,
    );
  }
});

test('bytes that are not UTF-8, and a byte order mark, are broken grammar', () => {
  const cases: [number[], string][] = [
    [[0x22, 0xff, 0x22], 'utf-8'],
    [[0x22, 0xc0, 0xaf, 0x22], 'utf-8'],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 'utf-8'],
    [[0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'utf-8'],
    [[0x22, 0xe2, 0x82], 'utf-8'],
    [[0xff, 0xfe, 0x31, 0x00], 'utf-8'],
    [[0xef, 0xbb, 0xbf, 0x31], 'byte-order-mark'],
  ];
  for (const [bytes, code] of cases) {
    const parsed = parseJson(Buffer.from(bytes), LIMITS);
    assert.ok(!parsed.ok);
    assert.deepEqual([parsed.kind, parsed.code], ['grammar', code]);
  }
});

test('refusals carry their code and a pointer to the place', () => {
  const cases: [string, string, string][] = [
    ['{"a":1,"a":2}', 'duplicate-name', '/a'],
    ['{"a":1,"\\u0061":2}', 'duplicate-name', '/a'],
    ['{"x":[{},{"b/c":1,"d~e":2,"b\\/c":3}]}', 'duplicate-name', '/x/1/b~1c'],
    ['{"d~e":2,"d~e":3}', 'duplicate-name', '/d~0e'],
    ['{"":{"":1,"":2}}', 'duplicate-name', '//'],
    ['{"a":{"__proto__":1}}', 'forbidden-name', '/a/__proto__'],
    ['{"\\u005f_proto__":1}', 'forbidden-name', '/__proto__'],
    ['"\\u0000"', 'nul', ''],
    ['{"metadata":{"a/b":["x","y\\u0000"]}}', 'nul', '/metadata/a~1b/1'],
    ['{"a":{"b\\u0000":1}}', 'nul', '/a'],
    ['["\\ud800"]', 'lone-surrogate', '/0'],
    ['["\\uDC00\\uD800"]', 'lone-surrogate', '/0'],
    ['["\\uD800\\uD800\\uDC00"]', 'lone-surrogate', '/0'],
    ['["\\uD800\\uDBFF"]', 'lone-surrogate', '/0'],
    ['["\\uDC00\\uDC00"]', 'lone-surrogate', '/0'],
    ['["\\u0000\\uD800"]', 'nul', '/0'],
    ['["\\uD800\\n"]', 'lone-surrogate', '/0'],
    ['["\\uD83Dé"]', 'lone-surrogate', '/0'],
    ['{"\\uD800":1}', 'lone-surrogate', ''],
    ['9007199254740992', 'number-range', ''],
    ['{"n":-9007199254740993}', 'number-range', '/n'],
    ['[1,9007199254740993.0]', 'number-range', '/1'],
    ['{"n":1e16}', 'number-range', '/n'],
    ['[1e309]', 'number-range', '/0'],
    ['[-1.0E400]', 'number-range', '/0'],
    [`[${'9'.repeat(400)}]`, 'number-range', '/0'],
    [deep(33), 'too-deep', '/0'.repeat(32)],
    [`${'['.repeat(32)}1${']'.repeat(32)}`, 'too-deep', '/0'.repeat(32)],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'too-deep', '/a'.repeat(32)],
    [deep(100_000), 'too-deep', '/0'.repeat(32)],
    [zeros(5000), 'too-many-members', '/4999'],
    ['[{"a":"\\u0000"},{"b":1,"b":1}]', 'nul', '/0/a'],
    [`{"a":{"${'n'.repeat(2000)}":1e999}}`, 'number-range', '/a'],
  ];
  for (const [text, code, pointer] of cases) {
    const parsed = parse(text);
    assert.ok(!parsed.ok, text.slice(0, 80));
    assert.deepEqual(
      [parsed.kind, parsed.code, parsed.pointer],
      ['refused', code, pointer],
      text.slice(0, 80),
    );
  }
  assert.equal(parse(deep(32)).ok, true);
  assert.equal(parse(zeros(4999)).ok, true);
  const names = Array.from({ length: 2500 }, (_, index) => `"n${index}":0`);
  assert.equal(parse(`{${names.slice(1).join(',')}}`).ok, true, '4,999 names and values');
  assert.equal(parse(`{${names.join(',')}}`).ok, false, '5,001 names and values');
});

test('broken grammar wins over a refusal before it', () => {
  const texts = [
    '{"a":1,"a":2',
    '["\\u0000",]',
    '['.repeat(100_000),
    '{"__proto__":1}}',
    `${'[0,'.repeat(6000)}x`,
    '[1e999',
  ];
  for (const text of texts) {
    const parsed = parse(text);
    assert.ok(!parsed.ok);
    assert.equal(parsed.kind, 'grammar', text.slice(0, 40));
  }
});

test('hostile bodies of 1 MiB take time in proportion to their length', () => {
  const units = ['[', '{"":', '\n', '9', '{"a":0,'];
  const bodies = units.map((unit) => unit.repeat(2 ** 20 / unit.length));
  for (const unit of ['\\n', '\\u0041', '\\ud800', 'a', 'é'])
    bodies.push(`"${unit.repeat(2 ** 20 / unit.length)}"`);
  bodies.push(
    `[${'0,'.repeat(2 ** 19)}0]`,
    `{${'"a":0,'.repeat(2 ** 17)}"a":0}`,
    `[${'"",'.repeat(2 ** 18)}`,
  );
  for (const body of bodies) {
    const start = performance.now();
    parse(body);
    // Each takes up to 20 ms; with a quadratic step it would be minutes.
    const took = performance.now() - start;
    assert.ok(took < 20_000, `${body.slice(0, 8)}… took ${took} ms`);
  }
});
