// `colophon read` and `diff` end for texts that are made to be slow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import { patchBetween } from '../src/publishing/patch.ts';
import { renderMarkdown } from '../src/output/render-markdown.ts';
import { shownMarkdown } from '../src/output/shown-markdown.ts';
import { styleWith } from '../src/output/style.ts';

const place = { width: 80, style: styleWith(false) };

test('a text that would take too long comes as it is written; long ordinary ones are laid out', async () => {
  const slow = '![a'.repeat(330_000);
  const shown = await shownMarkdown(slow, place, 300);
  assert.match(shown, /^This text takes too long/);
  assert.ok(shown.endsWith(slow));
  const ordinary = `# Heading\n\n${'Some *words* of a text. '.repeat(4_000)}\n\n- one\n- two\n`;
  const coloured = { ...place, style: styleWith(true) };
  for (const at of [place, coloured])
    assert.equal(await shownMarkdown(ordinary, at), renderMarkdown(ordinary, at));
});

test('a text that is nested without end, and one of control characters, are printable', async () => {
  for (const text of ['> '.repeat(400_000), '- '.repeat(400_000), '\u001B[2J'.repeat(30_000)])
    assert.doesNotMatch(await shownMarkdown(text, place), /\u001B\[2J/);
});

test('tables take time in proportion to their size, and keep their columns in every part', () => {
  const rows = Array.from({ length: 4_000 }, (_, at) => `| row ${at} | 日本語 |\n`).join('');
  const lines = renderMarkdown(`| name | word |\n|-|-|\n${rows}`, place).split('\n');
  assert.equal(lines.length, 4_001);
  const columns = lines.slice(1).map((line) => line.indexOf('日'));
  assert.deepEqual([...new Set(columns)], [columns[0]]);
  const many = renderMarkdown(`${'a|'.repeat(5_000)}\n${'-|'.repeat(5_000)}\n`, place);
  assert.match(many, /^a \| a \| a/);
});

test('a diff of long texts without a common line is the whole of both, and applies', () => {
  const side = (name: string) => ({
    name,
    lines: Array.from({ length: 20_000 }, (_, at) =>
      at % 7 === 0 ? '\n' : `${name} ${at}\n`,
    ).join(''),
  });
  const [from, to] = [side('a'), side('b')];
  const patch = patchBetween(from, to, 200);
  assert.match(patch, /^--- a\n\+\+\+ b\n@@ -1,20000 \+1,20000 @@\n-\n-a 1\n/);
  assert.equal(applyPatch(from.lines, patch), to.lines);
  const small = patchBetween(from, { name: 'b', lines: `${from.lines}More.\n` });
  assert.equal(small.match(/^[+-](?![+-])/gm)?.length, 1);
});
