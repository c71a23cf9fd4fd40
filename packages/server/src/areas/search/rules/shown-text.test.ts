// The displayed form of a text is the same in pieces as of the whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pieceLength } from '#lib/text-pieces';
import { shownPieces, shownText } from './shown-text.ts';

/** Letters, marks and jamo that are composed with others, halves of characters, and what stays as it is. */
const parts = [
  'a',
  ' ',
  '\u0301',
  '\u0316',
  '\u00ad',
  'é',
  '\u1100',
  '\u1161',
  '\u11a8',
  '가',
  '漢',
];
const rarer = [
  '🦉',
  '\ufdfa',
  '\u0b47',
  '\u0b3e',
  '\u{16d67}',
  '\u{16d63}',
  '\u{1d15e}',
  '\u0301'.repeat(40),
];

test('the pieces of a text together are its displayed form', () => {
  const near = fc.array(fc.constantFrom(...parts, ...rarer), { maxLength: 60 });
  const filler = fc.constantFrom('x', '漢', '\ufdfa', '\u1161', '🦉');
  fc.assert(
    fc.property(filler, near, near, (fill, before, after) => {
      const room = pieceLength - before.join('').length - 5;
      const text = `${fill.repeat(room / fill.length)}${[...before, ...after].join('')}${'y '.repeat(pieceLength)}`;
      assert.equal([...shownPieces(text)].join(''), shownText(text));
    }),
  );
});

test('a long text is in several pieces, and one without any letter in one', () => {
  assert.equal([...shownPieces('x'.repeat(3 * pieceLength))].length, 3);
  assert.equal([...shownPieces('漢'.repeat(3 * pieceLength))].length, 3);
  assert.equal([...shownPieces('\u0301'.repeat(3 * pieceLength))].length, 1);
  assert.deepEqual([...shownPieces('')], []);
});
