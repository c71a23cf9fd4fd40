// Tests of numbers and dates as pages write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, dayOf, figure } from './labels.ts';

test('a number has a comma before every three digits', () => {
  const written = [0, 7, 999, 1000, 12_345, 123_456, 1_234_567].map(figure);
  assert.deepEqual(written, ['0', '7', '999', '1,000', '12,345', '123,456', '1,234,567']);
});

test('one of a kind is named by the singular, any other number by the plural', () => {
  const written = [0, 1, 2, 1001].map((count) => formatCount(count, 'comment'));
  assert.deepEqual(written, ['0 comments', '1 comment', '2 comments', '1,001 comments']);
});

test('a day is that of UTC, and every month has its name', () => {
  assert.equal(dayOf('2026-01-01T00:00:00.000Z'), '1 January 2026');
  assert.equal(dayOf('2026-12-31T23:59:59.999Z'), '31 December 2026');
  const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  for (let day = 0; day < 366; day += 1) {
    const time = new Date(Date.UTC(2028, 0, 1 + day));
    assert.equal(dayOf(time.toISOString()), form.format(time));
  }
});
