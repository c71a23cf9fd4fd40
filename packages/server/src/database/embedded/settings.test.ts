// Tests of the share of memory that PostgreSQL uses for its cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedBuffers } from './settings.ts';

const GiB = 1024 ** 3;

test('a sixteenth of the memory, within bounds', () => {
  const cases: readonly [memory: number, setting: string][] = [
    [0, '128MB'],
    [0.5 * GiB, '128MB'],
    [2 * GiB, '128MB'],
    [4 * GiB, '256MB'],
    [7.8 * GiB, '499MB'],
    [16 * GiB, '1024MB'],
    [512 * GiB, '1024MB'],
    // A container without a memory limit.
    [2 ** 64, '1024MB'],
  ];
  for (const [memory, setting] of cases) assert.equal(sharedBuffers(memory), setting);
});
