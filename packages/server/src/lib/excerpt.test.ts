// Tests of excerpts: their length, where they are cut, and what hostile Markdown costs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { excerpt } from './excerpt.ts';

test('short texts are whole, long ones end at a word with an ellipsis', () => {
  assert.equal(excerpt('# Title\n\nA *short* text with `code`.'), 'Title A short text with code.');
  assert.equal(excerpt('a'.repeat(280)), 'a'.repeat(280));
  assert.equal(excerpt('word '.repeat(56)), 'word '.repeat(56).trim());
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(56).trim()}…`);
  assert.equal(excerpt('words '.repeat(100)), `${'words '.repeat(46).trim()}…`);
  assert.equal(excerpt('a'.repeat(281)), `${'a'.repeat(279)}…`);
  assert.equal(excerpt('字'.repeat(5000)), `${'字'.repeat(279)}…`);
  assert.equal(excerpt('😀'.repeat(300)), `${'😀'.repeat(279)}…`);
  assert.equal(excerpt(`a ${'字'.repeat(300)}`), `a ${'字'.repeat(277)}…`);
  assert.equal(excerpt('```\ncode\n```'), '');
  assert.equal(excerpt(''), '');
});

test('property: at most 280 code points, well-formed, and a beginning of the words', () => {
  fc.assert(
    fc.property(
      fc.lorem({ maxCount: 200 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (words, noise) => {
        const cut = excerpt(words);
        assert.ok([...cut].length <= 280);
        if (cut === words) return;
        assert.ok(cut.endsWith('…'));
        assert.ok(words.startsWith(`${cut.slice(0, -1)} `));
        const other = excerpt(noise);
        assert.ok([...other].length <= 280 && other.isWellFormed());
      },
    ),
  );
});

test('hostile Markdown of a megabyte costs no more than its first 4,000 characters', () => {
  const units = [
    '![',
    '[',
    '[a][',
    '[[[[',
    '![[]()',
    '****a',
    'a**b',
    '_*a',
    '`',
    '<![CDATA[',
    '<!--',
    '> ',
    '- ',
    '| a | b |\n|---|---|\n',
    '&',
    '\\',
  ];
  for (const unit of units) {
    const markdown = unit.repeat(2 ** 20 / unit.length);
    const start = performance.now();
    excerpt(markdown);
    // Each takes up to 10 ms; without the limit the worst take minutes.
    assert.ok(performance.now() - start < 1000, unit);
  }
});
