// Tests of buckets of many keys: each separate, deleted only when full again or when there is no room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBuckets } from './token-buckets.ts';

const rate = { requests: 3, windowMs: 60_000 };

function drain(buckets: ReturnType<typeof openBuckets>, key: string): number {
  let count = 0;
  while (buckets.take(key).admitted) count += 1;
  return count;
}

test('keys do not share, and looking takes nothing', () => {
  const buckets = openBuckets(rate, 100, () => 0);
  assert.equal(drain(buckets, 'one'), 3);
  for (let n = 0; n < 10; n += 1) assert.equal(buckets.look('two').admitted, true);
  assert.equal(drain(buckets, 'two'), 3);
  assert.equal(buckets.look('one').admitted, false);
});

test('the passing of windows loses nothing that a key owes', () => {
  let now = 0;
  const buckets = openBuckets(rate, 100, () => now);
  for (let n = 0; n < 60; n += 1) {
    assert.equal(drain(buckets, 'steady'), n === 0 ? 3 : 1, `at ${now}`);
    now += 20_000;
  }
  now += 60_000;
  assert.equal(drain(buckets, 'steady'), 3);
});

test('a million keys keep at most as many as there is room for; the last ones met are remembered', () => {
  const buckets = openBuckets(rate, 1_000, () => 0);
  assert.equal(drain(buckets, 'first'), 3);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 1_000_000; n += 1) buckets.take(`address ${n}`);
  assert.ok(process.memoryUsage().heapUsed - before < 200 * 1024 * 1024);
  assert.equal(buckets.look('first').debtMs, 20_000, 'forgotten: it starts with a full bucket');
  const remembered = Array.from({ length: 2_000 }, (_, back) => 999_999 - back).filter(
    (n) => buckets.look(`address ${n}`).debtMs > 20_000,
  );
  assert.ok(remembered.length >= 500 && remembered.length <= 1_000, String(remembered.length));
});

test('a caller that keeps coming is remembered while others fill the room', () => {
  const buckets = openBuckets(rate, 1_000, () => 0);
  assert.equal(drain(buckets, 'eager'), 3);
  for (let n = 0; n < 100_000; n += 1) {
    buckets.take(`address ${n}`);
    if (n % 400 === 0) assert.equal(buckets.take('eager').admitted, false);
  }
});

test('what is charged afterwards is owed, at most one window, and refuses nothing by itself', () => {
  let now = 0;
  const buckets = openBuckets(rate, 100, () => now);
  buckets.charge('reader', 1);
  assert.equal(buckets.look('reader').debtMs, 40_000);
  buckets.charge('reader', 1_000);
  assert.equal(buckets.take('reader').admitted, false);
  now += 20_000;
  assert.equal(drain(buckets, 'reader'), 1);
  now += 60_000;
  assert.equal(drain(buckets, 'reader'), 3);
});
