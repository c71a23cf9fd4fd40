// Tests of text that is made valid for XML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutTags, writable } from './xml.ts';
import { effort } from '#test/effort';

/** The production Char of XML 1.0 (section 2.2), negated. */
const noChar = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

test('characters that XML cannot contain become U+FFFD, anywhere in a record', () => {
  const date = new Date(0);
  assert.deepEqual(
    writable({ a: ['x\0y', 'tab\t\r\n'], b: { c: '\ud800\u0001' }, date, none: null, n: 1 }),
    { a: ['x\ufffdy', 'tab\t\r\n'], b: { c: '\ufffd\ufffd' }, date, none: null, n: 1 },
  );
});

test('a text with nothing to replace is the same text', () => {
  const text = 'Böse ]]> <b>&amp; “it” 𝒜 \u007f\u0085\ufdd0\u{1ffff}\n';
  assert.equal(writable(text), text);
});

test('property: only characters that XML has are left, and nothing else is changed', () => {
  const unit = fc.oneof(
    fc.constantFrom('\u0001', '\ufffe', '\uffff', '\ud800', '\udc00', '\ufffd', '😀', 'a', '\t'),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join('');
      assert.equal(writable(text), text.replaceAll(noChar, '\ufffd'));
    }),
    { numRuns: effort(500, 10_000) },
  );
});

test('names lose what opens a tag', () => {
  assert.equal(withoutTags('A <b> & "c"'), 'A ‹b› & "c"');
});
