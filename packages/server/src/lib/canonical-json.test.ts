// Tests of canonical JSON against the vectors of RFC 8785, and of the hashes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalJson, contentHash, sha256Hex } from './canonical-json.ts';

test('RFC 8785 appendix B: numbers by their IEEE 754 bits', () => {
  const vectors: [string, string][] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ];
  for (const [bits, text] of vectors) {
    assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text, bits);
  }
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(() => canonicalJson(number));
  }
});

test('RFC 8785 section 3.2.2: literals, numbers and strings', () => {
  const value: unknown = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`);
  // The bytes of section 3.2.4.
  const expected =
    '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b333333333333333' +
    '3332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c' +
    '75303030665c6e4127425c225c5c5c5c5c222f227d';
  assert.equal(Buffer.from(canonicalJson(value)).toString('hex'), expected);
});

test('RFC 8785 section 3.2.3: names sorted by UTF-16 code units', () => {
  const value: unknown = JSON.parse(String.raw`{
    "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
  }`);
  assert.deepEqual(
    [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map((match) => match[1]),
    [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ],
  );
});

test('property: the form is the value’s own, whatever the order of its names', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
      const text = canonicalJson(value);
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      assert.equal(canonicalJson(reversed), text);
      assert.equal(canonicalJson(JSON.parse(text)), text);
    }),
  );
});

test('what JSON cannot say throws', () => {
  for (const value of [undefined, () => 1, '\ud800', ['\udc00'], { '\ud800': 1 }]) {
    assert.throws(() => canonicalJson(value), typeof value);
  }
});

test('hashes texts by their UTF-8', () => {
  assert.equal(
    sha256Hex('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  assert.equal(sha256Hex('é€😀'), sha256Hex(Buffer.from('é€😀')));
});

test('a content hash covers content, metadata and title, and nothing else', async () => {
  const article = { title: 'T', content: 'C\n', metadata: { b: 1.0, a: ['é'] } };
  assert.equal(
    await contentHash(article),
    `sha256:${sha256Hex('{"content":"C\\n","metadata":{"a":["é"],"b":1},"title":"T"}')}`,
  );
  const more = { ...article, language: 'en' };
  assert.equal(await contentHash(more), await contentHash(article));
  for (const change of [{ title: 'T ' }, { content: 'C' }, { metadata: { b: 1 } }]) {
    assert.notEqual(await contentHash({ ...article, ...change }), await contentHash(article));
  }
});
