// Marks texts: short ones on the event loop, long ones in a worker thread of their own.
import { spotlight } from './spotlight.ts';
import type { SpotlightRecord, Spotlit } from './spotlight.ts';
import { openThreads } from '../threads.ts';
import type { Failure, Requester } from '../threads.ts';

export interface Spotlighting extends AsyncDisposable {
  /**
   * Returns the marked texts of each record, in order and with a marker for each; or the reason why there are
   * none.
   */
  spotlight(
    records: readonly SpotlightRecord[],
    requester: Requester,
  ): Promise<readonly Spotlit[] | Failure>;
}

/** UTF-16 units of one response that are marked on the event loop: 1 ms at most. */
const shortMax = 2 * 1024;

function lengthOf(records: readonly SpotlightRecord[]): number {
  const texts = records.flatMap((record) => Object.values(record.texts));
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Opens the spotlighting. No thread starts until the first long text. */
export function openSpotlighting(onError: (error: Error) => void): Spotlighting {
  const options = {
    file: new URL('spotlight-worker.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs: 5_000,
    idleMs: 30_000,
    waiting: 64,
    waitingEach: 8,
  };
  const threads = openThreads<readonly SpotlightRecord[], Spotlit[]>(options, onError);
  return {
    spotlight: async (records, requester) => {
      if (lengthOf(records) <= shortMax) return records.map(spotlight);
      const { result, failure } = await threads.run(records, requester);
      return failure ?? result;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
