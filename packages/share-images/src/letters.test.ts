// Tests of the characters that are drawn: graphemes, their direction, and escaped markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeMarkup, showsNothing, signsOf, withBreaks, withoutMarks } from './letters.ts';

const shown: readonly [what: string, text: string, signs: string][] = [
  ['letters', 'Ürümqi', 'Ü|r|ü|m|q|i'],
  ['a letter with a mark of its own', 'e\u0301', 'é'],
  ['lines and spaces as one space', ' a\n\t b\u2028 c ', 'a| |b| |c'],
  ['nothing for control characters', 'a\u0000\u0007b\u007F', 'a|b'],
  ['nothing for what turns the direction around', '\u202Ea\u2066b\u2069\uFEFF', 'a|b'],
  ['halves of surrogate pairs as the sign for what is lost', 'a\uD800', 'a|\uFFFD'],
  ['what is not a character, and what is private, not at all', 'a\uFFFF\uFDD0\uE000', 'a'],
  ['a code point that stands for nothing yet as a letter', 'a\u0378', 'a|\u0378'],
  ['a blank of Braille as a space', 'a\u2800b', 'a| |b'],
  ['an emoji of three as one', '👩‍🔬!', '👩‍🔬|!'],
  ['joiners of Persian', 'می\u200Cخواهم', 'م|ی\u200C|خ|و|ا|ه|م'],
  ['four marks on one letter and no more', `Z${'\u0338'.repeat(40)}x`, `Z${'\u0338'.repeat(4)}|x`],
];
for (const [what, text, signs] of shown) {
  test(`signs: ${what}`, () => {
    assert.equal(signsOf(text).join('|'), signs);
  });
}

test('a flag and a family without an end are cut', () => {
  assert.ok([...(signsOf('👩\u200D'.repeat(50))[0] ?? '')].length <= 12);
});

const shows: readonly [string, boolean][] = [
  ['a', true],
  ['\u0301', true],
  ['\u0378', true],
  ['\u0601', true],
  [' ', false],
  ['\u200B', false],
  ['\u3164', false],
  ['\uFE0F', false],
  ['\u{E0041}', false],
];
for (const [sign, isShown] of shows) {
  test(`${JSON.stringify(sign)} shows ${isShown ? 'something' : 'nothing'}`, () => {
    assert.equal(showsNothing(sign), !isShown);
  });
}

test('without marks: accents, selectors and tags go, letters stay', () => {
  assert.equal(withoutMarks('é\u0301\uFE0F\u{E0041}'), 'e');
  assert.equal(withoutMarks('\u0301'), '');
});

test('no text is markup', () => {
  assert.equal(
    escapeMarkup(`<b a="1" b='2'>&amp;`),
    '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;',
  );
});

test('lines break between Thai words, and not inside Korean ones', () => {
  const thai = withBreaks('ภาษาไทย').split(/\u200B+/);
  assert.deepEqual(
    thai.filter((word) => word !== ''),
    ['ภาษา', 'ไทย'],
  );
  assert.equal(withBreaks('엔진을 직접'), '엔\u2060진\u2060을 직\u2060접');
  assert.equal(withBreaks('a plain line'), 'a plain line');
});
