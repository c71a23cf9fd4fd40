// Random growth up to 70,000 leaves, with the borders of tiles on all three levels.
import { test } from 'node:test';
import fc from 'fast-check';
import { checkGrowth } from '../test/growth.ts';

test('trees up to 70,000 leaves, at every border of a tile', () => {
  const low = [1, 255, 256, 257, 511, 512, 513];
  checkGrowth([...low, 65_279, 65_280, 65_535, 65_536, 65_537, 65_791, 65_792, 65_793, 70_000]);
});

test('trees that grow by any steps', () => {
  const near = fc
    .tuple(fc.integer({ min: 0, max: 273 }), fc.integer({ min: -1, max: 1 }))
    .map(([tile, off]) => Math.min(70_000, Math.max(1, tile * 256 + off)));
  const sizes = fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 70_000 }), near), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(sizes, (some) => checkGrowth(some.toSorted((a, b) => a - b))),
    { numRuns: 6 },
  );
});
