// A part of a matrix in `npm test`, drawn at random, and the whole matrix in `npm run test:long`.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { effort } from '../effort.ts';

/** SEED repeats a draw. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** `usual` of them in `npm test`, and all in a long run. Draws of different names are different. */
export function sampled<T>(all: readonly T[], usual: number, name = ''): readonly T[] {
  const count = effort(Math.min(usual, all.length), all.length);
  const bounds = { minLength: count, maxLength: count };
  return (
    fc.sample(fc.shuffledSubarray([...all], bounds), {
      seed: (seed + crc32(name)) % 2 ** 31,
      numRuns: 1,
    })[0] ?? []
  );
}
