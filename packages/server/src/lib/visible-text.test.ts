// Tests of names that show what they are: what is refused and where, and what writing needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hiddenCharacter, visibleText } from './visible-text.ts';

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
];
for (const text of shown) {
  test(`shows: ${text}`, () => assert.equal(hiddenCharacter(text), undefined));
}

const hidden: readonly (readonly [string, string])[] = [
  ['a\nb', 'character 2 is a control character (U+000A)'],
  ['\tb', 'character 1 is a control character (U+0009)'],
  ['ab\u0085', 'character 3 is a control character (U+0085)'],
  ['a\u2028b', 'character 2 is a control character (U+2028)'],
  ['🦉\u202eb', 'character 2 is one that changes the direction of writing (U+202E)'],
  ['a\u2066b', 'character 2 is one that changes the direction of writing (U+2066)'],
  ['a\u200fb', 'character 2 is one that changes the direction of writing (U+200F)'],
  ['a\u061cb', 'character 2 is one that changes the direction of writing (U+061C)'],
  ['a\u200bb', 'character 2 is invisible (U+200B)'],
  ['a\u200db', 'character 2 is invisible (U+200D)'],
  ['می\u200c', 'character 3 is invisible (U+200C)'],
  ['👩\u200dx', 'character 2 is invisible (U+200D)'],
  ['a\u00adb', 'character 2 is invisible (U+00AD)'],
  ['a\ufeffb', 'character 2 is invisible (U+FEFF)'],
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

test('property: no control, format or direction character passes in any Latin text', () => {
  const hiding = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => /[\p{Cc}\p{Cf}\p{Bidi_Control}]/u.test(character),
  );
  assert.ok(hiding.length > 100);
  const latin = fc.string({ unit: fc.constantFrom('a', 'Z', 'é', ' ', '.') });
  fc.assert(
    fc.property(latin, fc.nat({ max: hiding.length - 1 }), latin, (before, place, after) => {
      const says = hiddenCharacter(`${before}${hiding[place]}${after}`);
      assert.ok(says?.startsWith(`character ${before.length + 1} is `), String(says));
    }),
    { numRuns: 200 },
  );
});
