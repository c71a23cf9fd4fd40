// HTML as Markdown: what is text stays text, however much it looks like Markdown or HTML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { effort } from '../../../server/test/effort.ts';
import { parseHtml, plainText, writeMarkdown } from '../../src/import/formats/html.ts';

const renderer = new MarkdownIt({ html: false, linkify: false });
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const marks = [
  '*',
  '_',
  '`',
  '#',
  '-',
  '+',
  '1.',
  '[a](b)',
  '![',
  ']',
  '<b>',
  '&amp;',
  '|',
  '~~',
  '\\',
];
const words = [
  '>',
  'https://x.example/_a_',
  ' ',
  'word',
  'é',
  '🦉',
  '---',
  '===',
  '!',
  '\n',
  '$$',
  '[^1]',
];
const piece = fc.constantFrom(...marks, ...words);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('a text in paragraphs, lists, headings and cells is the same text when it is shown', () => {
  const wraps = ['<p>%</p>', '<ul><li>%</li></ul>', '<h2>%</h2>', '<blockquote>%</blockquote>'];
  const table = '<table><tr><th>a</th></tr><tr><td>%</td></tr></table>';
  const wrap = fc.constantFrom(...wraps, '<p><b>x</b>%</p>', '<p>x %</p>', table);
  fc.assert(
    fc.property(wrap, text, (html, inside) => {
      const tree = parseHtml(html.replace('%', () => escapeHtml(inside)));
      const shown = renderer.render(writeMarkdown(tree));
      assert.equal(oneLine(plainText(parseHtml(shown))), oneLine(plainText(tree)));
    }),
    { numRuns: effort(300, 20_000) },
  );
});

test('code is the same code', () => {
  fc.assert(
    fc.property(text, (inside) => {
      const markdown = writeMarkdown(parseHtml(`<pre><code>${escapeHtml(inside)}x</code></pre>`));
      const [token] = renderer.parse(markdown, {});
      assert.equal(token?.content, `${inside}x\n`);
    }),
    { numRuns: effort(200, 5_000) },
  );
});

test('scripts, styles, comments and handlers are left out', () => {
  const html =
    '<p onclick="x()">a<script>x()</script><style>b{}</style><!-- c --></p><svg onload="x()"></svg>';
  assert.equal(writeMarkdown(parseHtml(html)), 'a\n');
});
