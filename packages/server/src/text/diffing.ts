// Line diffs in a worker thread of their own, bounded in time, memory and length.
import { Piscina } from 'piscina';
import type { Bounds, Hunk } from './diff-lines.ts';

export type { Hunk } from './diff-lines.ts';

export interface Diffing extends AsyncDisposable {
  /** The hunks from one text to another; undefined where they cannot be had within the bounds. */
  diffLines(from: string, to: string): Promise<Hunk[] | undefined>;
}

const bounds: Bounds = { edits: 4_000, lines: 20_000, milliseconds: 1_000 };
/** The thread is ended then, whatever it does. */
const deadlineMs = 4_000;
/** Beyond this many waiting pairs the answer is that it cannot be had. */
const waitingMax = 32;
const idleMs = 30_000;
const memoryMb = 256;

/** Starts no thread yet. */
export function openDiffing(onError: (error: Error) => void): Diffing {
  const pool = new Piscina({
    filename: new URL('diff-lines.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: waitingMax,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
    execArgv: [],
  });
  pool.on('error', onError);
  return {
    diffLines: async (from, to) => {
      try {
        const signal = AbortSignal.timeout(deadlineMs);
        return (await pool.run({ from, to, bounds }, { signal })) as Hunk[] | undefined;
      } catch {
        // Too slow, too big or too many at once: all three mean the same to whoever asked.
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => pool.close({ force: true }),
  };
}
