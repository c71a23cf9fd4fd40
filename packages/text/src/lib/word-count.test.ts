// Tests of the length of a text, in words and minutes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthOf } from './word-count.ts';

test('words are counted in any script, with spaces between them or without', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', '0 words'],
    ['One', '1 word'],
    ['שלום עולם, don’t', '3 words'],
    ['吾輩は猫である', '7 words'],
    ['ภาษาไทยไม่มีช่องว่าง', '5 words'],
    ['ໂຮງຮຽນ', '1 word'],
    ['Node.js ภาษาไทย 2026', '5 words'],
  ];
  for (const [text, length] of cases) assert.equal(lengthOf(text).split(',')[0], length, text);
});

test('a long text without spaces is estimated from its beginning', () => {
  const sentence = 'ภาษาไทยไม่มีช่องว่างระหว่างคำ';
  const words = Number(/^[\d,]+/.exec(lengthOf(sentence.repeat(30_000)))?.[0].replace(',', ''));
  const each = words / 30_000;
  assert.ok(each > 5 && each < 10, `${each} words in a sentence`);
});
