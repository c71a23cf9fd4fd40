// The indexed form of texts, as a table; the steps for PostgreSQL; the displayed form, the same in pieces as of the whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pieceLength } from '@colophon/text/lib/text-pieces';
import {
  asIndexed,
  indexingSteps,
  settledClass,
  shownPieces,
  shownText,
  withoutHidden,
} from './text-forms.ts';

const rows: readonly (readonly [text: string, indexed: string])[] = [
  ['said “hummingbird nests” then—flamingo', 'said hummingbird nests then flamingo'],
  ["l’homme l'homme п\u02bcять", 'l homme l homme п ять'],
  ['¡hola! café® 50€ 😀smile a\u00a0b', 'hola café 50 smile a b'],
  ['كتب،وأقلام؟ है।किताब 東。京', 'كتب وأقلام है किताब 東 京'],
  ['1914-1918 2026-11-22 F-16 -5', '1914 1918 2026 11 22 F 16 5'],
  ['well-known well\u2011known --flag a--b- 3-year', 'well-known well-known flag a b 3-year'],
  ['node.js ann@mailhost.org ended.Then. .5 5.', 'node js ann mailhost org ended Then 5 5'],
  ['3.14 v1.2.3 1..2 1.2.3-beta.1', '3.14 v 1.2.3 1 2 1.2.3-beta 1'],
  ['https://example.org/a_b?c=d&e;#f', 'https example org a b c d e f'],
  ['<script src="x">', 'script src x'],
  ['hippo\u00adpotamus می\u200cخواهم a\u200bb \ufeffx', 'hippopotamus میخواهم a b x'],
  ['re\u0301sume\u0301', 'résumé'],
];
for (const [text, indexed] of rows) {
  test(`${JSON.stringify(text)} is indexed as ${JSON.stringify(indexed)}`, () => {
    assert.equal(asIndexed(text).replaceAll(/ +/g, ' ').trim(), indexed);
  });
}

test('what is indexed is indexed as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const once = asIndexed(text);
      assert.deepEqual(asIndexed(once).split(/ +/), once.split(/ +/));
    }),
  );
});

test('the steps for PostgreSQL are worked out once', () => {
  assert.equal(indexingSteps(), indexingSteps());
});

test('a text of settled characters is in the normal form and has nothing invisible', () => {
  const settled = new RegExp(`[${settledClass}]`, 'u');
  const points = Array.from({ length: 0x10_ff_ff }, (_, place) => String.fromCodePoint(place + 1));
  const all = points.filter((point) => settled.test(point));
  assert.ok(all.length > 30_000);
  assert.deepEqual(
    all.filter((point) => withoutHidden(point) !== point),
    [],
  );
  // By UAX #15, section 9, only these can change beside others: marks, and letters that join the one before.
  const joining = /[\p{M}\u1100-\u11ff\u{16d00}-\u{16dff}]/u;
  assert.deepEqual(
    all.filter((point) => joining.test(point)),
    [],
  );
});

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
