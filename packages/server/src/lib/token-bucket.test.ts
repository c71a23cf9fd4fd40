// Tests of the token bucket: exactly its capacity at first, then an even refill.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { remainderOf, take } from './token-bucket.ts';
import type { Rate } from './token-bucket.ts';

/**
 * Returns how many of `times` simultaneous requests are admitted from a bucket that needs `debtMs` to be
 * full.
 */
function countAdmitted(rate: Rate, times: number, debtMs = 0): number {
  let [count, debt] = [0, debtMs];
  for (let n = 0; n < times; n += 1) {
    const outcome = take(rate, debt);
    debt = outcome.debtMs;
    if (outcome.admitted) count += 1;
  }
  return count;
}

test('a full bucket admits exactly its content, even where the window does not divide evenly', () => {
  for (const requests of [0, 1, 2, 3, 7, 11, 300, 1_200, 12_000, 99_991]) {
    for (const windowMs of [60_000, 3_600_000])
      assert.equal(countAdmitted({ requests, windowMs }, requests + 50), requests);
  }
});

test('after a part of the window it admits that part again, and never more than its capacity', () => {
  const rate = { requests: 300, windowMs: 60_000 };
  assert.equal(countAdmitted(rate, 400, rate.windowMs), 0);
  assert.equal(countAdmitted(rate, 400, rate.windowMs - 200), 1);
  assert.equal(countAdmitted(rate, 400, rate.windowMs - 20_000), 100);
  assert.equal(countAdmitted(rate, 400, 0), 300);
  assert.equal(countAdmitted(rate, 400, -1e9), 300);
});

test('no window of any place and length admits more than the bucket and what flowed in', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.double({ min: 0, max: 4_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
      (requests, pauses) => {
        const rate = { requests, windowMs: 60_000 };
        const times: number[] = [];
        let [now, debt] = [0, 0];
        for (const pause of pauses) {
          now += pause;
          const outcome = take(rate, debt - pause);
          debt = outcome.debtMs;
          if (outcome.admitted) times.push(now);
        }
        times.forEach((from, first) => {
          times.slice(first).forEach((to, more) => {
            assert.ok(more + 1 <= requests + ((to - from) / rate.windowMs) * requests + 0.02);
          });
        });
      },
    ),
  );
});

test('a caller that waits as asked is admitted, and not a second earlier', () => {
  for (const rate of [
    { requests: 20, windowMs: 3_600_000 },
    { requests: 7, windowMs: 60_000 },
  ]) {
    const { waitSeconds } = remainderOf(rate, take(rate, rate.windowMs));
    assert.equal(take(rate, rate.windowMs - waitSeconds * 1_000).admitted, true);
    assert.equal(take(rate, rate.windowMs - (waitSeconds - 1) * 1_000).admitted, false);
  }
});

test('what is said to be left is what is admitted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.double({ min: 0, max: 60_000, noNaN: true }),
      (requests, debtMs) => {
        const rate = { requests, windowMs: 60_000 };
        const { remaining } = remainderOf(rate, { admitted: true, debtMs });
        // The tolerance of a hundredth of a request applies once and does not accumulate.
        const more = countAdmitted(rate, requests + 1, debtMs) - remaining;
        assert.ok(more === 0 || more === 1, `${more}`);
      },
    ),
  );
});

test('a limit of none admits none and names the whole window', () => {
  const rate = { requests: 0, windowMs: 60_000 };
  const outcome = take(rate, 0);
  assert.deepEqual(remainderOf(rate, outcome), { admitted: false, remaining: 0, waitSeconds: 60 });
});
