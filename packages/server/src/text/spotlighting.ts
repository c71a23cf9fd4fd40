// Marking of texts: short ones here, long ones in a worker thread of their own.
import { Piscina } from 'piscina';
import { spotlight } from '#lib/spotlight';
import type { Spotlit, Texts } from '#lib/spotlight';

export interface Spotlighting extends AsyncDisposable {
  /**
   * The texts of each record, with a marker of its own, in their order. undefined where too many long
   * answers wait, or one takes too long.
   */
  spotlight(records: readonly Texts[]): Promise<readonly Spotlit[] | undefined>;
}

/** UTF-16 units of one answer that take at most some 15 ms. */
const shortMax = 32 * 1024;
const deadlineMs = 5_000;
const waitingMax = 32;
const idleMs = 30_000;
const memoryMb = 256;

function lengthOf(records: readonly Texts[]): number {
  const texts = records.flatMap((record) => Object.values(record));
  return texts.reduce((sum, text) => sum + text.length, 0);
}

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
    spotlight: async (records) => {
      if (lengthOf(records) <= shortMax) return records.map(spotlight);
      try {
        const signal = AbortSignal.timeout(deadlineMs);
        return (await pool.run(records, { signal })) as Spotlit[];
      } catch (error) {
        onError(error as Error);
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => pool.close({ force: true }),
  };
}
