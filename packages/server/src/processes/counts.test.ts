// The supervisor's counts: no kind of key displaces another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#lib/token-bucket';
import { openCounts } from './counts.ts';

test('a flood of addresses does not give an account its allowance back', () => {
  const { answer } = openCounts();
  const take = (key: string) => (answer(1, ['take', key, 2, 3_600_000, 1]) as Outcome).admitted;
  assert.deepEqual(
    [1, 2, 3].map(() => take('reads:owner:A')),
    [true, true, false],
  );
  for (let at = 0; at < 120_000; at += 1) take(`reads:address:2001:db8:${at.toString(16)}::/64`);
  assert.equal(take('reads:owner:A'), false);
});
