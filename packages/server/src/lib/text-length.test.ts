// The length of texts in code points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLonger, tooLong } from './text-length.ts';

test('an emoji counts once, at and beyond the limit', () => {
  assert.equal(isLonger('\u{1F989}'.repeat(300), 300), false);
  assert.equal(isLonger('\u{1F989}'.repeat(301), 300), true);
  assert.equal(isLonger('x'.repeat(301), 300), true);
  assert.equal(
    tooLong('\u{1F989}'.repeat(301), 300),
    'must have at most 300 characters; it has 301',
  );
});

test('a text of megabytes is not counted', () => {
  const words = 'must have at most 300 characters; it has more than 50000';
  assert.equal(tooLong('x'.repeat(3_000_000), 300), words);
});
