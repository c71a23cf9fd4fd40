// The number of a stage in a cursor: it round-trips, and every number is a valid stage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { levels, numberOf, stageOf } from './search-stage.ts';

test('a stage is read back as it was', () => {
  const step = fc.integer({ min: 0, max: 63 });
  const stage = fc.record({
    level: fc.constantFrom(...levels),
    step,
    typedStep: fc.option(fc.integer({ min: 0, max: 62 }), { nil: undefined }),
  });
  fc.assert(fc.property(stage, (one) => assert.deepEqual(stageOf(numberOf(one)), { ...one })));
});

test('any number that a cursor may hold is a stage', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (number) => {
      const { level, step } = stageOf(number);
      assert.ok(levels.includes(level));
      assert.ok(step >= 0 && step < 64);
    }),
  );
});
