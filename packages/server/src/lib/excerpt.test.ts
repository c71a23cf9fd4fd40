// Tests of excerpts: their length, where they are cut, and the cost of hostile Markdown.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';
import { anyCodePoint } from '#test/any-text';

import { excerpt } from './excerpt.ts';

test('short texts are whole, long ones end at a word with an ellipsis', () => {
  assert.equal(excerpt('# Title\n\nA *short* text with `code`.'), 'A short text with code.');
  assert.equal(excerpt('a'.repeat(280)), 'a'.repeat(280));
  assert.equal(excerpt('word '.repeat(56)), 'word '.repeat(56).trim());
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(56).trim()}…`);
  assert.equal(excerpt('words '.repeat(100)), `${'words '.repeat(46).trim()}…`);
  assert.equal(excerpt('a'.repeat(281)), `${'a'.repeat(279)}…`);
  assert.equal(excerpt('字'.repeat(5000)), `${'字'.repeat(279)}…`);
  assert.equal(excerpt('😀'.repeat(300)), `${'😀'.repeat(279)}…`);
  const family = '👨‍👩‍👧‍👦';
  assert.equal(excerpt(family.repeat(60)), `${family.repeat(39)}…`);
  assert.equal(excerpt('ที่'.repeat(100)), `${'ที่'.repeat(93)}…`);
  assert.equal(excerpt(`a ${'字'.repeat(300)}`), `a ${'字'.repeat(277)}…`);
  assert.equal(excerpt('```\ncode\n```'), '');
  assert.equal(excerpt(''), '');
});

test('the first paragraph of prose, without what stands before it', () => {
  const badges =
    '[![Build](https://x.example/b.svg)](https://x.example) ![npm](https://x.example/n.svg)';
  const cases: readonly (readonly [string, string])[] = [
    [`# Colophon\n\n${badges}\n\nA publishing network.\n\nMore.`, 'A publishing network.'],
    [`${badges}\n# Colophon\nA publishing network.`, 'A publishing network.'],
    ['<p align="center"><img src="a.png"></p>\n\n<h1>Name</h1>\n\nWords here.', 'Name'],
    ['[English](a) | [中文](b) | [العربية](c)\n\nWords here.', 'Words here.'],
    ['![A cat](cat.png)\n\nWords here.', 'Words here.'],
    ['![A cat](cat.png) sits here.', 'sits here.'],
    ['| a | b |\n|---|---|\n| c | d |\n\nWords here.', 'Words here.'],
    ['> Quoted.\n\nWords here.', 'Words here.'],
    ['- one\n- two\n\nWords here.', 'Words here.'],
    ['```js\ncode();\n```\n\nWords here.', 'Words here.'],
    ['---\ntitle: Front matter\n---\n\nWords here.', 'Words here.'],
    ['Heading\n===\n\nOther\n---\nWords\nhere.', 'Words here.'],
    ['* * *\n\nWords here.', 'Words here.'],
    // No such block: the first text is used.
    ['# Only a title', 'Only a title'],
    ['# A title\n\n- one\n- two *and*\n- three\n\n# Other', 'one two and three'],
    ['> A quote\n> of two lines.\n>\n> And more.', 'A quote of two lines. And more.'],
    ['[a link](https://x.example)', 'a link'],
    ['| a | b |\n|---|---|\n| c | d |', 'a b c d'],
    ['![A cat](cat.png)', 'A cat'],
    ['![](cat.png)', ''],
  ];
  for (const [markdown, text] of cases) assert.equal(excerpt(markdown), text, markdown);
});

test('a text of footnotes or tasks only is shown without their syntax', () => {
  const cases = [
    ['[^1]\n\n[^1]: The note.', 'The note.'],
    ['[^long-name]: The note.', 'The note.'],
    ['- [ ] write\n- [x] read\n- [y] no box', 'write read [y] no box'],
    ['> [x] said nobody', '[x] said nobody'],
    ['- one\n\n  [x] is not a box', 'one [x] is not a box'],
  ] as const;
  for (const [markdown, text] of cases) assert.equal(excerpt(markdown), text, markdown);
});

test('references are resolved wherever they are defined, and marks of footnotes go', () => {
  const far = 'A paragraph of no interest.\n\n'.repeat(400);
  const cases: readonly (readonly [string, string])[] = [
    ['See [the docs][d] and [d].\n\n[d]: https://x.example', 'See the docs and d.'],
    [`See [the docs][D] and [d][].\n\n${far}[d]: https://x.example`, 'See the docs and d.'],
    [`A claim[^1], and another.[^note]\n\n${far}[^1]: Proof.`, 'A claim, and another.'],
    ['[^1]: Proof of it.\n\nA claim.[^1]', 'A claim.'],
    ['[^1]: https://x.example\n\nA claim.[^1]', 'A claim.'],
    ['Take a[i][j], as `b[i][j]` does.', 'Take a[i][j], as b[i][j] does.'],
    ['An [unknown] one.', 'An [unknown] one.'],
    [
      '<https://x.example/?a=1&b> is it; [so](y "title") is this.',
      'https://x.example/?a=1&b is it; so is this.',
    ],
  ];
  for (const [markdown, text] of cases) assert.equal(excerpt(markdown), text, markdown);
});

test('a paragraph behind a long head is found; one that is cut is looked for in a longer piece', () => {
  const badges = '[![b](https://x.example/badge.svg)](https://x.example)\n'.repeat(30);
  assert.equal(excerpt(`# T\n\n${badges}\nWords here.`), 'Words here.');
  const long = `${'`x` '.repeat(220)}tail`;
  assert.equal(excerpt(`${'# T\n\n'.repeat(150)}${long}`), `${'x '.repeat(140).trim()}…`);
});

test('property: at most 280 code points, well-formed, and a beginning of the words', () => {
  fc.assert(
    fc.property(
      fc.lorem({ maxCount: 200 }),
      fc.string({ unit: anyCodePoint, maxLength: 400 }),
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
    '[a]: b\n',
    '[^1]',
    '[^',
    '[a][b] ',
    '\n[',
  ];
  for (const unit of units) {
    const markdown = unit.repeat(2 ** 20 / unit.length);
    const start = performance.now();
    excerpt(markdown);
    // Each takes up to 10 ms; without the limit the worst take minutes.
    assert.ok(performance.now() - start < 20_000, unit);
  }
});
