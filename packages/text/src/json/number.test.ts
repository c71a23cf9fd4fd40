// Tests of where JSON numbers end and which of them fit a double.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { fitsDouble, numberEnd } from './number.ts';

test('finds the end, or where a digit is missing', () => {
  const cases: [string, number][] = [
    ['0', 1],
    ['00', 1],
    ['-0', 2],
    ['12,', 2],
    ['1.5]', 3],
    ['1e5', 3],
    ['1E+5}', 4],
    ['-1.25e-10 ', 9],
    ['', ~0],
    ['-', ~1],
    ['-x', ~1],
    ['.5', ~0],
    ['+1', ~0],
    ['1.', ~2],
    ['1.e5', ~2],
    ['1e', ~2],
    ['1e-', ~3],
  ];
  for (const [text, end] of cases) assert.equal(numberEnd(Buffer.from(text), 0), end, text);
});

test('starts anywhere in the bytes', () => {
  assert.equal(numberEnd(Buffer.from('[[-1.5e3,2]]'), 2), 8);
});

test('property: a double written by JavaScript ends at its end', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const text = JSON.stringify(number);
      assert.equal(numberEnd(Buffer.from(`${text},`), 0), text.length);
    }),
  );
});

test('integers up to 2^53-1, however written, and finite numbers that keep their exponent', () => {
  const fits = [
    '0',
    '-0',
    '9007199254740991',
    '-9007199254740991',
    '1e308',
    '-1e21',
    '9007199254740991e0',
    '9007199254740992e-1',
    '1e-999',
    '0.1',
  ];
  const tooLarge = [
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993.0',
    '9007199254740991.5',
    '9007199254740992e0',
    '1e16',
    '-1E20',
    '999999999999999934463',
    '1e309',
    '-1.0e400',
    '1E999',
    '9'.repeat(400),
  ];
  for (const text of fits) assert.equal(fitsDouble(text), true, text);
  for (const text of tooLarge) assert.equal(fitsDouble(text), false, text);
});

test('property: what fits still fits as the service writes it', () => {
  const digits = fc.bigInt({ min: 1n, max: 10n ** 18n });
  const exponent = fc.integer({ min: -30, max: 30 });
  fc.assert(
    fc.property(digits, exponent, (number, power) => {
      const text = `${number}e${power}`;
      if (fitsDouble(text)) assert.ok(fitsDouble(JSON.stringify(Number(text))), text);
    }),
  );
});
