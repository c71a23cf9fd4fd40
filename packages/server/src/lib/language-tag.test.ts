// Tests of language tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalLanguageTag, isLanguageTag } from './language-tag.ts';

test('well-formed tags in their canonical spelling', () => {
  const cases: [string, string][] = [
    ['en', 'en'],
    ['EN-us', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['sr-Latn', 'sr-Latn'],
    ['de-1996', 'de-1996'],
    ['es-419', 'es-419'],
    ['iw', 'he'],
    ['und', 'und'],
    ['UND', 'und'],
    ['gsw', 'gsw'],
    ['xx', 'xx'],
    ['en-x-private', 'en-x-private'],
  ];
  for (const [text, tag] of cases) {
    assert.equal(canonicalLanguageTag(text), tag, text);
    assert.equal(isLanguageTag(text), true, text);
  }
});

test('anything else is refused', () => {
  const wrong = [
    '',
    'e',
    'languages',
    'engl',
    'en_US',
    'en-',
    '-en',
    'en--US',
    'en US',
    ' en',
    'en\n',
    'en-US-en-US',
    'éé',
    '12',
    '*',
    'en-a-b-c-d-e-f-g-h-i',
    `en-x-${'a'.repeat(40)}`,
    'en\0',
  ];
  for (const text of wrong) {
    assert.equal(canonicalLanguageTag(text), undefined, text);
    assert.equal(isLanguageTag(text), false, text);
  }
});

test('property: a canonical tag is its own canonical tag, short and ASCII', () => {
  const parts = fc.array(
    fc.string({ unit: fc.constantFrom(...'aehirswzATUN0149'), minLength: 1, maxLength: 8 }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(parts, (subtags) => {
      const tag = canonicalLanguageTag(subtags.join('-'));
      if (tag === undefined) return;
      assert.equal(canonicalLanguageTag(tag), tag);
      assert.match(tag, /^[A-Za-z0-9-]{2,20}$/);
    }),
    { numRuns: 3000 },
  );
});
