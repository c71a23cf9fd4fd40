// Tests of ids: format, order within a process, buckets, and a full millisecond.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { mintToken, readToken } from '@colophon/text/lib/token-text';
import { BUCKETS, bucketOf, firstIdAt, isId, newId } from './id.ts';
import { timeOf } from '#test/ids';

const FORM = /^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{26}$/;
const anyBucket = fc.nat({ max: BUCKETS - 1 });

// Ids never go back in time inside a process, so later tests use later times.

test('property: an id has the form, its bucket and its time', () => {
  let clock = Date.now();
  fc.assert(
    fc.property(anyBucket, fc.integer({ min: 1, max: 1e6 }), (bucket, passed) => {
      clock += passed;
      const id = newId(bucket, clock);
      assert.match(id, FORM);
      assert.equal(isId(id), true);
      assert.equal(bucketOf(id), bucket);
      assert.equal(timeOf(id), clock);
    }),
  );
});

test('property: every id of a time is at least the first one, and below the first one of a later time', () => {
  let clock = timeOf(newId(0)) + 1;
  fc.assert(
    fc.property(anyBucket, fc.integer({ min: 1, max: 1e6 }), (bucket, passed) => {
      clock += passed;
      const id = newId(bucket, clock);
      assert.ok(firstIdAt(clock) <= id);
      assert.ok(id < firstIdAt(clock + 1));
      assert.match(firstIdAt(clock), FORM);
    }),
  );
  assert.equal(firstIdAt(-1), firstIdAt(0));
  assert.match(firstIdAt(Number.MAX_SAFE_INTEGER), FORM);
});

test('property: later ids sort after earlier ones, whatever the buckets and the clock do', () => {
  let last = newId(0);
  fc.assert(
    fc.property(fc.array(fc.tuple(anyBucket, fc.integer({ min: -1000, max: 1000 }))), (steps) => {
      for (const [bucket, drift] of steps) {
        const id = newId(bucket, timeOf(last) + drift);
        assert.ok(id > last, `${id} after ${last}`);
        assert.equal(bucketOf(id), bucket);
        last = id;
      }
    }),
  );
});

test('a full millisecond borrows the next one: a million ids while the clock stands still', () => {
  const now = timeOf(newId(0)) + 1;
  let last = '';
  for (let count = 0; count < 1_000_000; count += 1) {
    const id = newId(count % BUCKETS, now);
    if (id <= last) assert.fail(`${id} after ${last}`);
    last = id;
  }
  const borrowed = timeOf(last) - now;
  assert.ok(borrowed >= 1 && borrowed <= 8, `borrowed ${borrowed} ms`);
  assert.match(last, FORM);
});

test('a neighbour’s id cannot be counted up to', () => {
  const now = timeOf(newId(0)) + 1;
  const steps = new Set<string>();
  let before = 0n;
  for (let count = 0; count < 1000; count += 1) {
    const high = BigInt(
      `0x${[...newId(7, now)]
        .slice(10, 20)
        .map((digit) => digit.charCodeAt(0).toString(16))
        .join('')}`,
    );
    steps.add(String(high - before));
    before = high;
  }
  assert.ok(steps.size > 990, `${steps.size} different steps`);
});

test('refuses buckets and times that do not exist', () => {
  for (const bucket of [-1, BUCKETS, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32]) {
    assert.throws(() => newId(bucket), RangeError, String(bucket));
  }
  for (const now of [-1, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => newId(0, now), RangeError, String(now));
  }
});

test('isId takes exactly the form', () => {
  const id = newId(4095);
  const wrong = [
    '',
    id.slice(1),
    `${id}0`,
    id.toLowerCase(),
    ` ${id}`,
    `${id}\n`,
    `8${id.slice(1)}`,
    `I${id.slice(1)}`,
    `${id.slice(1)}U`,
    `${id.slice(1)}é`,
    '01ARZ3NDEKTSV4RRFFQ69G5FA-',
  ];
  for (const text of wrong) assert.equal(isId(text), false, JSON.stringify(text));
  assert.equal(isId('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), true);
  assert.equal(timeOf('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 2 ** 48 - 1);
  assert.equal(timeOf('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 1469922850259);
  for (const text of ['', `${id}0`, id.slice(1), `${id.slice(0, 25)}U`]) {
    assert.throws(() => bucketOf(text), RangeError);
    assert.throws(() => timeOf(text), RangeError);
  }
});

test('the last millisecond that an id can express ends with an error, not with a repeated id', () => {
  const seen = new Set<string>();
  assert.throws(() => {
    for (let count = 0; count < 2 ** 20; count += 1) seen.add(newId(0, 2 ** 48 - 1));
  }, RangeError);
  assert.ok(seen.size >= 2 ** 17);
  assert.throws(() => newId(0), RangeError);
});

test('a token names the same buckets as an id', () => {
  for (const bucket of [0, BUCKETS - 1]) {
    const { token } = mintToken({ bucket, deployment: 'production' });
    assert.equal(readToken(token, 'production')?.bucket, bucket);
  }
  assert.throws(() => mintToken({ bucket: BUCKETS, deployment: 'production' }), RangeError);
});
