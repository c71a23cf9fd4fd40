// Tests of the plain text of Markdown.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';
import { anyCodePoint } from '../../../server/test/any-text.ts';

import { plainText } from './plain-text.ts';
import { effort } from '../../../server/test/effort.ts';

const WHOLE = { limit: 4000, inlineCode: true };

test('keeps words and leaves out marks, code blocks, addresses and tags', () => {
  const cases: [string, string][] = [
    [
      '# Title\n\nFirst *para*graph with **bold** and ~~old~~.\nNext line.\n\nSecond.',
      'Title First paragraph with bold and old. Next line. Second.',
    ],
    [
      'A [link](https://example.org/x "title"), <https://auto.example> and `a < b`.',
      'A link, https://auto.example and a < b.',
    ],
    ['![A photo *of* a cat](cat.png) sits', 'A photo of a cat sits'],
    ['[![build](https://x/b.svg)](https://x) Words', 'build Words'],
    ['Before\n\n```js\ncode();\n```\n\n    indented();\n\nAfter', 'Before After'],
    ['~~~\nnever closed\n', ''],
    ['- one\n- two\n  1. three\n\n> quoted', 'one two three quoted'],
    ['| a | b |\n|---|---|\n| c | **d** |', 'a b c d'],
    ['Line  \nbreak\\\nhere', 'Line break here'],
    [
      '<p align="center">\n  <b>Inner *words*</b><br/>\n</p>\n\nOuter <script>x</script>',
      'Inner words Outer x',
    ],
    ['<!-- hidden -->\nShown', 'Shown'],
    ['&lt;b&gt; &amp; &copy; \\*literal\\*', '<b> & © *literal*'],
    ['[ref]: https://example.org\n\n[ref] and [ref][]', 'ref and ref'],
    ['a < b and c > d', 'a < b and c > d'],
    ['  \n\t\u00a0\n', ''],
    ['', ''],
  ];
  for (const [markdown, text] of cases) assert.equal(plainText(markdown, WHOLE), text, markdown);
});

test('a heading is set apart from the text after it on request, unless it ends itself', () => {
  const cases: [string, string][] = [
    ['# Moss\n\nIt grows.\n\n## Where\n- north', 'Moss · It grows. Where · north'],
    ['Why?\n---\nBecause.\n\n# Notes:\n\nNone', 'Why? Because. Notes: None'],
    ['# One\n## Two\n\n# \n\nText\n\n# Last', 'One · Two · Text Last'],
    ['> # Quoted\n> text', 'Quoted · text'],
    ['# لماذا؟\n\nلأن', 'لماذا؟ لأن'],
    ['# He said “go.”\n\nText', 'He said “go.” Text'],
    ['# यह है।\n\nपाठ', 'यह है। पाठ'],
    ['# A “word”\n\nText', 'A “word” · Text'],
  ];
  for (const [markdown, text] of cases)
    assert.equal(plainText(markdown, { ...WHOLE, headings: 'apart' }), text, markdown);
});

test('inline code is left out on request', () => {
  assert.equal(plainText('Call `foo()` now', { limit: 100, inlineCode: false }), 'Call now');
});

test('looks at the beginning only, and cuts no character in half', () => {
  assert.equal(plainText('words '.repeat(1000), { limit: 10, inlineCode: true }), 'words word');
  assert.equal(plainText('ab😀', { limit: 3, inlineCode: true }), 'ab');
  assert.equal(plainText('ab😀', { limit: 4, inlineCode: true }), 'ab😀');
});

test('property: any text gives one well-formed line without doubled spaces', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '#',
      ' ',
      '\n',
      '*',
      '`',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '|',
      '-',
      'a',
      'é',
      '😀',
      '\0',
      '\r',
      '&amp;',
      '    ',
    ),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join('')),
        fc.string({ unit: anyCodePoint }),
      ),
      (markdown) => {
        const text = plainText(markdown, WHOLE);
        assert.ok(text.isWellFormed());
        assert.doesNotMatch(text, /^\s|\s$|[^\S ]| {2}/);
      },
    ),
    { numRuns: effort(1000, 20_000) },
  );
});
