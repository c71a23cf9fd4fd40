// A part of a matrix in `npm test`, drawn at random, and the whole matrix in `npm run test:long`.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { effort } from '../effort.ts';
import { seed } from '../seed.ts';

/** `usual` of them in `npm test`, and all in a long run. Draws of different names are different. */
export function drawSample<T>(all: readonly T[], usual: number, name = ''): readonly T[] {
  const count = effort(Math.min(usual, all.length), all.length);
  const bounds = { minLength: count, maxLength: count };
  return (
    fc.sample(fc.shuffledSubarray([...all], bounds), {
      seed: (seed + crc32(name)) % 2 ** 31,
      numRuns: 1,
    })[0] ?? []
  );
}

/**
 * For a list that is tried again and again: each call returns the next `usual` of them in a random order, so that
 * several calls together cover the list. In a long run each call returns all.
 */
export function dealInTurn<T>(all: readonly T[], usual: number): () => readonly T[] {
  const shuffled = drawSample(all, all.length);
  const count = effort(Math.min(usual, all.length), all.length);
  let next = 0;
  return () =>
    Array.from({ length: count }, () => {
      const one = shuffled[next % shuffled.length] as T;
      next += 1;
      return one;
    });
}
