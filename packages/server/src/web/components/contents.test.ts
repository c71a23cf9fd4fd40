// The contents list of a text, and the estimate of how long reading takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthOf } from '@colophon/text/lib/word-count';
import { html, textOf } from '../html.ts';
import { contentsList, readingTime } from './contents.ts';

const long = 'x'.repeat(10_000);

/** The parts that are listed, each with its depth. */
function listParts(levels: readonly number[], text = long): readonly string[] {
  const headings = levels.map((level, at) => ({ level, id: `md-${at}`, text: `Part ${at}` }));
  const list = textOf(html`${contentsList({ html: text, headings }, 'ltr')}`);
  return [...list.matchAll(/<li class="d(\d)"><a href="#md-(\d+)"/g)].map(
    ([, depth, at]) => `${depth} ${at}`,
  );
}

test('a short text has no list, and neither has one with few parts', () => {
  assert.deepEqual(listParts([1, 1, 1], 'short'), []);
  assert.deepEqual(listParts([1, 1]), []);
});

test('depths count from the highest level, and the fourth level is left out', () => {
  assert.deepEqual(listParts([2, 3, 5, 6, 2]), ['0 0', '1 1', '2 2', '0 4']);
});

test('of hundreds of parts, lower levels are left out, then the last ones', () => {
  const levels = Array.from({ length: 150 }, (_, n) => (n % 3 === 0 ? 1 : 2));
  assert.equal(listParts(levels).length, 50);
  assert.equal(listParts(Array.from({ length: 150 }, () => 1)).length, 100);
});

test('what a heading contains is text', () => {
  const headings = Array.from({ length: 3 }, () => ({ level: 1, id: 'md-a', text: '<b>&' }));
  assert.match(textOf(html`${contentsList({ html: long, headings }, 'rtl')}`), /&#60;b&#62;&#38;/);
});

test('the time to read depends on the script, and is the same wherever it is said', () => {
  const time = (letter: string, length: number) => {
    const content = letter.repeat(length);
    const said = readingTime({ content });
    if (said !== undefined) assert.ok(lengthOf(content).endsWith(`, ${said}`), lengthOf(content));
    return said;
  };
  assert.equal(time('x', 1_400), undefined);
  assert.equal(time('x', 13_800), '10 minutes to read');
  assert.equal(time('字', 5_000), '10 minutes to read');
  assert.equal(time('x', 1_000_000), '12 hours to read');
  // Few long words, and many short ones.
  assert.equal(time('incomprehensibility ', 200), '3 minutes to read');
  assert.equal(time('a ', 1_600), '2 minutes to read');
});
