// Tests of the progress bar: how it says how much there is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteSize } from './progress.ts';

test('a size is said in a unit in which it is not zero', () => {
  const sizes = [0, 1, 999, 1_000, 49_999, 999_949, 999_950, 1_000_000, 23_450_000].map(byteSize);
  assert.deepEqual(sizes, [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 KB',
    '50.0 KB',
    '999.9 KB',
    '1.0 MB',
    '1.0 MB',
    '23.4 MB',
  ]);
});
