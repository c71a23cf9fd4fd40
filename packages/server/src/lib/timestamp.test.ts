// Tests of the interface's timestamps.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { isTimestamp, timestamp } from './timestamp.ts';

test('writes UTC with milliseconds', () => {
  assert.equal(timestamp(0), '1970-01-01T00:00:00.000Z');
  assert.equal(timestamp(new Date('2026-01-31T23:59:59.999+02:00')), '2026-01-31T21:59:59.999Z');
});

test('property: every instant of the years 1 to 9999 is written as a timestamp and read back', () => {
  const min = new Date('0001-01-01T00:00:00.000Z');
  const max = new Date('9999-12-31T23:59:59.999Z');
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      const text = timestamp(date);
      assert.equal(isTimestamp(text), true);
      assert.equal(new Date(text).getTime(), date.getTime());
    }),
  );
});

test('throws for what has no such form', () => {
  for (const instant of [Number.NaN, 8.64e15, -8.64e15, Date.parse('0000-12-31T00:00:00.000Z')]) {
    assert.throws(() => timestamp(instant), RangeError, String(instant));
  }
});

test('takes instants that exist and nothing else', () => {
  const right = [
    '2024-02-29T00:00:00.000Z',
    '2000-02-29T23:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ];
  const wrong = [
    '2024-02-30T00:00:00.000Z',
    '2023-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00.000Z',
    '2024-04-31T00:00:00.000Z',
    '2024-13-01T00:00:00.000Z',
    '2024-00-01T00:00:00.000Z',
    '2024-01-00T00:00:00.000Z',
    '2024-01-32T00:00:00.000Z',
    '2024-01-01T24:00:00.000Z',
    '2024-01-01T00:60:00.000Z',
    '2016-12-31T23:59:60.000Z',
    '2024-01-01T25:00:00.000Z',
    '2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00.00Z',
    '2024-01-01T00:00:00.0000Z',
    '2024-01-01T00:00:00.000+00:00',
    '2024-01-01t00:00:00.000z',
    '2024-01-01 00:00:00.000Z',
    '2024-1-01T00:00:00.000Z',
    '+002024-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '２024-01-01T00:00:00.000Z',
    '2024-01-01T00:00:00.000Z\n',
    ' 2024-01-01T00:00:00.000Z',
    '',
    'now',
  ];
  for (const text of right) assert.equal(isTimestamp(text), true, text);
  for (const text of wrong) assert.equal(isTimestamp(text), false, text);
});
