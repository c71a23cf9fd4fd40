// The contents list of a text, and the estimate of how long reading takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('the time to read depends on the script', () => {
  const time = (length: number, language = 'en') =>
    readingTime({ content: 'x'.repeat(length), language });
  assert.equal(time(1_400), undefined);
  assert.equal(time(13_800), '10 minutes to read');
  assert.equal(time(5_000, 'zh-Hans'), '10 minutes to read');
  assert.equal(time(1_000_000), '12 hours to read');
});
