// Tests of the writing direction by language and by text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf, directionOfPart, directionOfText } from './writing-direction.ts';

test('a language says it, its script first; without one, the letters of the text', () => {
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
    ['und', '12 — HTTP بالعربية', 'rtl'],
    ['und', 'PostgreSQL and العربية', 'ltr'],
    ['und', '…', 'ltr'],
    ['', 'נועה', 'rtl'],
  ];
  for (const [language, text, direction] of cases)
    assert.equal(directionOf(language, text), direction, `${language} ${text}`);
});

test('a region says it where a language is written in two scripts, and so do languages of few speakers', () => {
  for (const language of ['pa-PK', 'uz-AF', 'az-IR', 'ku-IQ', 'kk-CN', 'pnb', 'lah', 'rhg', 'sam'])
    assert.equal(directionOf(language, ''), 'rtl', language);
  for (const language of ['pa', 'pa-IN', 'uz', 'az-AZ', 'ku', 'kk-KZ', 'sd-IN', 'ug-KZ'])
    assert.equal(directionOf(language, ''), 'ltr', language);
  // The script goes before the region.
  assert.equal(directionOf('pa-Guru-PK', ''), 'ltr');
  assert.equal(directionOf('sd-Arab-IN', ''), 'rtl');
  assert.equal(directionOf('hu-Hung', ''), 'rtl');
});

test('what is private or an extension in a tag is not its script or region', () => {
  for (const language of [
    'en-x-arab',
    'x-arab',
    'pa-u-rg-pk',
    'pa-x-pk',
    'i-klingon',
    'zh-min-nan',
  ])
    assert.equal(directionOf(language, ''), 'ltr', language);
  assert.equal(directionOf('und-x-latn', 'שלום'), 'rtl');
  assert.equal(directionOf('und-PK', 'שלום'), 'rtl');
});

test('digits and marks of a script decide nothing; a text without letters runs from left to right', () => {
  assert.equal(directionOfText('٣ apples'), 'ltr');
  assert.equal(directionOfText('😀 ꓸ 12'), 'ltr');
  assert.equal(directionOfText('ދިވެހި'), 'rtl');
  assert.equal(directionOfText(`${' '.repeat(2_000)}א`), 'ltr');
});

test('a text that begins with a Latin name is as most of its letters are; one that begins with Hebrew is Hebrew', () => {
  assert.equal(directionOfText('GPT-5 שינה את הכל'), 'rtl');
  assert.equal(directionOfText('iPhone 17 יצא השבוע, וזה מה שחשבתי עליו.'), 'rtl');
  assert.equal(directionOfText('The word שלום is a greeting'), 'ltr');
  assert.equal(directionOfText('תוסף Visual Studio Code'), 'rtl');
});

test('a title has the direction of its language, unless none of it is written in that language', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['he', 'TypeScript או JavaScript?', 'rtl'],
    ['he', 'What is C++?', 'ltr'],
    ['he', '2026', 'rtl'],
    ['en', 'שלום: a history', 'ltr'],
    ['en', 'שלום', 'rtl'],
    ['en', '2026', 'ltr'],
    ['und', 'GPT-5 שינה את הכל', 'rtl'],
  ];
  for (const [language, line, direction] of cases)
    assert.equal(directionOfPart(language, line), direction, `${language} ${line}`);
});
