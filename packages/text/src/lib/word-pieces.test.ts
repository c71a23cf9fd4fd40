// The pieces of texts in scripts with and without spaces; together they are the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCodePoint } from '../../../server/test/any-text.ts';
import { wordPieces } from './word-pieces.ts';

test('words, numbers with their signs, and characters of scripts without spaces are pieces', () => {
  assert.deepEqual(wordPieces('ב-12.05.2024, 18:30.'), [
    'ב',
    '-',
    '12.05.2024',
    ',',
    ' ',
    '18:30',
    '.',
  ]);
  assert.deepEqual(wordPieces('вчера стоило 1,200–1,500'), [
    'вчера',
    ' ',
    'стоило',
    ' ',
    '1,200–1,500',
  ]);
  assert.deepEqual(wordPieces('中文 v1.2\n\n3D'), ['中', '文', ' ', 'v1', '.', '2', '\n\n', '3D']);
});

test('the pieces of any text are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => {
      assert.equal(wordPieces(text).join(''), text);
    }),
  );
});
