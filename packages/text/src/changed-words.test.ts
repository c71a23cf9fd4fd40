// The words that differ between two lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedWords } from './changed-words.ts';

/** Changed words in brackets. */
function showChanges(from: string, to: string) {
  const lines = changedWords(from, to);
  if (lines === undefined) return undefined;
  const written = (words: typeof lines.from) =>
    words.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
  return [written(lines.from), written(lines.to)];
}

test('words that changed are marked, the rest is not', () => {
  assert.deepEqual(showChanges('Shade, water and time.', 'Shade, clean water and time.'), [
    'Shade, water and time.',
    'Shade, [clean ]water and time.',
  ]);
  assert.deepEqual(showChanges('one two three\n', 'one 2 three\n'), [
    'one [two] three\n',
    'one [2] three\n',
  ]);
  assert.deepEqual(showChanges('苔は石の上で育つ', '苔は木の上で育つ'), [
    '苔は[石]の上で育つ',
    '苔は[木]の上で育つ',
  ]);
});

test('both lines together are the lines, whatever they contain', () => {
  for (const [from, to] of [
    ['a 🌲 b', 'a 🌳 b'],
    ['', 'new'],
    ['x'.repeat(50), `${'x'.repeat(50)} y`],
    ['é a', 'é b'],
  ] as const) {
    const lines = changedWords(from, to);
    if (lines === undefined) continue;
    assert.equal(lines.from.map(({ text }) => text).join(''), from);
    assert.equal(lines.to.map(({ text }) => text).join(''), to);
  }
});

test('lines that share little, and lines that are too long, are not compared', () => {
  assert.equal(showChanges('Nothing is the same here', 'Every word differs from that'), undefined);
  assert.equal(showChanges('a '.repeat(2_000), 'a '.repeat(1_999)), undefined);
  const many = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
  const others = Array.from({ length: 300 }, (_, at) => `v${at}`).join(' ');
  assert.equal(showChanges(many, others), undefined);
});

test('lines that share enough words, but in no order, are not compared beyond the effort', () => {
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
  const [from, to] = [words.join(' '), words.toReversed().join(' ')];
  const effort = { comparisons: 100 };
  assert.equal(changedWords(from, to, { line: 2_000, edits: 500 }, effort), undefined);
  assert.equal(effort.comparisons, 0, 'the library was stopped');
});

test('lines whose words differ cost no comparison', () => {
  const effort = { comparisons: 1_000 };
  const text = (prefix: string) => Array.from({ length: 80 }, (_, n) => prefix + n).join(' ');
  assert.equal(changedWords(text('a'), text('b'), { line: 2_000, edits: 500 }, effort), undefined);
  assert.equal(effort.comparisons, 1_000);
});
