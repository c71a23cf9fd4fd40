// The extent of a search survives in its cursor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extentOf, levels, numberOf } from './search-articles.ts';

test('an extent is read back as it was', () => {
  const step = fc.integer({ min: 0, max: 63 });
  const extent = fc.record({
    level: fc.constantFrom(...levels),
    step,
    typedStep: fc.option(fc.integer({ min: 0, max: 62 }), { nil: undefined }),
  });
  fc.assert(fc.property(extent, (one) => assert.deepEqual(extentOf(numberOf(one)), { ...one })));
});

test('any number that a cursor may contain is an extent', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (number) => {
      const { level, step } = extentOf(number);
      assert.ok(levels.includes(level));
      assert.ok(step >= 0 && step < 64);
    }),
  );
});
