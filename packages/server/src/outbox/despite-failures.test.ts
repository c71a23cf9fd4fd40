// Recurring work goes on after failures, up to a few, and then fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { despiteFailures } from './index.ts';

test('the first failure is thrown at the end, and the others had their turn', async () => {
  const each = despiteFailures();
  const done: number[] = [];
  for (const number of [1, 2, 3, 4])
    await each.attempt(async () => {
      if (number % 2 === 1) throw new Error(`failure of ${number}`);
      done.push(number);
    });
  assert.deepEqual(done, [2, 4]);
  assert.throws(() => each.finish(), /failure of 1/);
});

test('five failures end the run: what fails everywhere is not tried on each', async () => {
  const each = despiteFailures();
  let tried = 0;
  const all = async () => {
    for (; tried < 100; tried += 1)
      await each.attempt(() => Promise.reject(new Error('the database is gone')));
  };
  await assert.rejects(all(), /the database is gone/);
  assert.equal(tried, 4);
});
