// Marking of texts: short ones here, long ones in a worker thread of their own.
import { Piscina } from 'piscina';
import { spotlight } from '#lib/spotlight';
import type { Spotlit, Texts } from '#lib/spotlight';

export interface Spotlighting extends AsyncDisposable {
  /** undefined where too many long texts wait, or one takes too long. */
  spotlight(texts: Texts): Promise<Spotlit | undefined>;
}

/** UTF-16 units that take at most some 15 ms. */
const shortMax = 32 * 1024;
const deadlineMs = 5_000;
const waitingMax = 32;
const idleMs = 30_000;
const memoryMb = 256;

/** Starts no thread yet. */
export function openSpotlighting(onError: (error: Error) => void): Spotlighting {
  const pool = new Piscina({
    filename: new URL('spotlight.ts', import.meta.url).href,
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
    spotlight: async (texts) => {
      const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
      if (length <= shortMax) return spotlight(texts);
      try {
        const signal = AbortSignal.timeout(deadlineMs);
        return (await pool.run(texts, { signal })) as Spotlit;
      } catch (error) {
        onError(error as Error);
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => pool.close({ force: true }),
  };
}
