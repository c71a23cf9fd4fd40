// Tests of the writing direction by language and by text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf, directionOfText } from './writing-direction.ts';

test('a language says it, its script first; without one, the first letter of the text', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['ar', 'HTTP بالعربية', 'rtl'],
    ['AR-eg', '', 'rtl'],
    ['he', '', 'rtl'],
    ['fa', '', 'rtl'],
    ['az-Arab', '', 'rtl'],
    ['ar-Latn', '', 'ltr'],
    ['en', 'שלום: a history', 'ltr'],
    ['zh-Hant-TW', '', 'ltr'],
    ['und', '1. «الهامش»', 'rtl'],
    ['und', '12 — HTTP بالعربية', 'ltr'],
    ['und', '…', 'ltr'],
    ['', 'נועה', 'rtl'],
  ];
  for (const [language, text, direction] of cases)
    assert.equal(directionOf(language, text), direction, `${language} ${text}`);
});

test('digits and marks of a script decide nothing; a text without letters runs from left to right', () => {
  assert.equal(directionOfText('٣ apples'), 'ltr');
  assert.equal(directionOfText('😀 ꓸ 12'), 'ltr');
  assert.equal(directionOfText('ދިވެހި'), 'rtl');
  assert.equal(directionOfText(`${' '.repeat(2_000)}א`), 'ltr');
});
