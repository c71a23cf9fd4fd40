// Tests of the fixed-width base32 encoding.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { CROCKFORD, fromCrockford, toCrockford } from './crockford.ts';

test('the alphabet ascends and leaves out I, L, O and U', () => {
  assert.equal(CROCKFORD.length, 32);
  assert.equal([...CROCKFORD].toSorted().join(''), CROCKFORD);
  assert.doesNotMatch(CROCKFORD, /[ILOU]/);
});

test('property: what is written is read back, and sorts like its number', () => {
  const number = fc
    .maxSafeInteger()
    .map(Math.abs)
    .map((value) => value % 2 ** 50);
  fc.assert(
    fc.property(number, number, (first, second) => {
      const text = toCrockford(first, 10);
      assert.equal(fromCrockford(`x${text}x`, 1, 11), first);
      assert.equal(text < toCrockford(second, 10), first < second);
    }),
  );
});

test('what is not a digit, and what lies beyond the text, is NaN', () => {
  for (const text of ['I', 'L', 'O', 'U', 'a', '-', 'é', '😀', '']) {
    assert.ok(Number.isNaN(fromCrockford(text, 0, 1)), text);
  }
});
