// Every advisory lock of the service is another one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { livenessSpace, lockNumbers, lockSpace } from './advisory-locks.ts';

test('no two advisory locks have the same number', () => {
  const taken = Object.values(lockNumbers);
  assert.equal(new Set(taken).size, taken.length, JSON.stringify(lockNumbers));
  assert.notEqual(lockSpace, livenessSpace);
});
