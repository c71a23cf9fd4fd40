// Tests of language tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { canonicalLanguageTag, isLanguageTag } from './language-tag.ts';
import { effort } from '../../../server/test/effort.ts';

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
    // Grandfathered ones, irregular and regular (RFC 5646 section 2.2.8).
    ['zh-min-nan', 'zh-min-nan'],
    ['ZH-MIN', 'zh-min'],
    ['i-klingon', 'i-klingon'],
    ['I-Default', 'i-default'],
    ['en-gb-oed', 'en-GB-oed'],
    ['sgn-be-fr', 'sgn-BE-FR'],
    ['cel-gaulish', 'xtg'],
    // Extended languages.
    ['zh-yue', 'zh-yue'],
    ['zh-CMN-hans-cn', 'zh-cmn-Hans-CN'],
    ['ar-arb-EG', 'ar-arb-EG'],
    // Private use, extensions, variants.
    ['x-whatever', 'x-whatever'],
    ['X-AB-Latn-1', 'x-ab-latn-1'],
    ['en-a-bbb-x-a-ccc', 'en-a-bbb-x-a-ccc'],
    ['de-DE-u-co-phonebk', 'de-DE-u-co-phonebk'],
    ['sl-rozaj-biske-1994', 'sl-1994-biske-rozaj'],
    ['sl-IT-nedis', 'sl-IT-nedis'],
    ['az-Arab-x-AZE-derbend'.slice(0, 17), 'az-Arab-x-aze-der'],
    ['hy-Latn-IT-arevmda', 'hyw-Latn-IT'],
    // Reserved and registered primary languages of four to eight letters.
    ['engl', 'engl'],
    ['abcdefgh', 'abcdefgh'],
  ];
  for (const [text, tag] of cases) {
    assert.equal(canonicalLanguageTag(text), tag, text);
    assert.equal(canonicalLanguageTag(tag), tag, tag);
    assert.equal(isLanguageTag(text), true, text);
  }
});

test('anything else is refused', () => {
  const wrong = [
    '',
    'e',
    'languages',
    'en_US',
    'en-',
    '-en',
    'en--US',
    'en US',
    ' en',
    'en\n',
    'en-US-en-US',
    'éé',
    'de-1996-1996',
    'de-419-DE',
    'a-DE',
    'ar-a-aaa-b-bbb-a-cc',
    'en-a',
    'x',
    'x-',
    'en-x',
    'i-nothing',
    'zh-min-nan-x',
    'de-x-ninechars1',
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

/** The grammar of RFC 5646 section 2.1 except for the irregular tags, as this test reads it. */
const wellFormed =
  /^((([a-z]{2,3}(-[a-z]{3}){0,3}|[a-z]{4,8})(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))*(-[a-wy-z\d](-[a-z\d]{2,8})+)*(-x(-[a-z\d]{1,8})+)?)|x(-[a-z\d]{1,8})+)$/i;

test('property: what the grammar takes is taken, unless it repeats a variant or a singleton', () => {
  const subtag = fc.stringMatching(/^[a-z\d]{1,8}$/);
  const text = fc.array(subtag, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(text, (tag) => {
      const isRepeated = new Set(tag.split('-')).size < tag.split('-').length;
      if (tag.length > 20 || isRepeated) return;
      assert.equal(isLanguageTag(tag), wellFormed.test(tag), tag);
    }),
    { numRuns: effort(3000, 60_000) },
  );
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
      assert.match(tag, wellFormed);
    }),
    { numRuns: effort(3000, 60_000) },
  );
});
