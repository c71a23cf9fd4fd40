// The indexed form of texts, as a table, and that the steps for PostgreSQL cover the same characters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asIndexed, indexingSteps } from './indexed-text.ts';

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
