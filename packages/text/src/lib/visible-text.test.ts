// Tests of names with invisible characters: which are rejected and where, and which writing needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hiddenCharacter, visibleText } from './visible-text.ts';
import { effort } from '../../../server/test/effort.ts';

const shown = [
  '',
  'Ada Lovelace',
  'José  Ñandú',
  '山田　太郎',
  'محمد',
  'نرگس می\u200cخواهد',
  'श्री\u200dमान',
  '👩‍💻 Ann',
  '👩🏽‍🚀',
  '❤️ and 1️⃣',
  'Zoë (she/her)',
  '☎\ufe0e',
  '葛\u{e0100}城',
  'ᠠ\u180bᠨ\u180eᠠ',
  'ไทย\u200bไทย',
  'مَ\u200cی',
  '\u06dd١',
  'Cymru \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
];
for (const text of shown) {
  test(`shows: ${text}`, () => assert.equal(hiddenCharacter(text), undefined));
}

const hidden: readonly (readonly [string, string])[] = [
  ['a\nb', 'character 2 is a control character (U+000A)'],
  ['\tb', 'character 1 is a control character (U+0009)'],
  ['ab\u0085', 'character 3 is a control character (U+0085)'],
  ['a\u2028b', 'character 2 is a control character (U+2028)'],
  ['🦉\u202eb', 'character 2 is a character that changes the direction of text (U+202E)'],
  ['a\u2066b', 'character 2 is a character that changes the direction of text (U+2066)'],
  ['a\u200fb', 'character 2 is a character that changes the direction of text (U+200F)'],
  ['a\u061cb', 'character 2 is a character that changes the direction of text (U+061C)'],
  ['a\u200bb', 'character 2 is invisible (U+200B)'],
  ['a\u200db', 'character 2 is invisible (U+200D)'],
  ['می\u200c', 'character 3 is invisible (U+200C)'],
  ['👩\u200dx', 'character 2 is invisible (U+200D)'],
  ['a\u00adb', 'character 2 is invisible (U+00AD)'],
  ['a\ufeffb', 'character 2 is invisible (U+FEFF)'],
  ['1\ufe0f', 'character 2 is invisible (U+FE0F)'],
  ['葛\u{e0100}\u{e0101}', 'character 3 is invisible (U+E0101)'],
  ['葛\u{e0165}', 'character 2 is invisible (U+E0165)'],
  ['ไทย\u200b\u200bไทย', 'character 4 is invisible (U+200B)'],
  ['\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', 'character 2 is invisible (U+E0067)'],
  ['a\ufe0fb', 'character 2 is invisible (U+FE0F)'],
  ['a\u3164b', 'character 2 is invisible (U+3164)'],
  ['\u2800', 'character 1 is invisible (U+2800)'],
  ['a\u{e0041}b', 'character 2 is invisible (U+E0041)'],
  ['a\ue000', 'character 2 is invisible (U+E000)'],
];
for (const [text, says] of hidden) {
  test(`refused: ${JSON.stringify(text)}`, () => assert.equal(hiddenCharacter(text), says));
}

for (const text of [
  '',
  ' ',
  '\n',
  '\t \r\n',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u2800 \u3164',
  '\u{e0041}',
]) {
  test(`nothing to be seen: ${JSON.stringify(text)}`, () => assert.equal(visibleText(text), ''));
}

test('what can be seen stays as it is, without white space around it', () => {
  assert.equal(visibleText('\u3000 山田　太郎\n'), '山田　太郎');
  assert.equal(visibleText('\u200bx'), '\u200bx');
  assert.equal(visibleText('👩‍💻'), '👩‍💻');
});

/** Visible format characters: written before the digits and letters that they span. */
const visibleFormat = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

test('property: no control, format or direction character passes in any Latin text', () => {
  const hiding = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) =>
      /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u.test(character) && !visibleFormat.test(character),
  );
  assert.ok(hiding.length > 100);
  const latin = fc.string({ unit: fc.constantFrom('a', 'Z', 'é', ' ', '.') });
  fc.assert(
    fc.property(latin, fc.nat({ max: hiding.length - 1 }), latin, (before, place, after) => {
      const says = hiddenCharacter(`${before}${hiding[place]}${after}`);
      assert.ok(says?.startsWith(`character ${before.length + 1} is `), String(says));
    }),
    { numRuns: effort(200, 4_000) },
  );
});
