// Line diffs, bounded in time, memory and length: short texts here, others in a worker thread.
import { diffLines } from './diff-lines.ts';
import type { Bounds, DiffTask, Hunk } from './diff-lines.ts';
import { openThreads } from './threads.ts';
import type { Requester } from './threads.ts';
import type { Refused } from './turns.ts';

export type { Hunk } from './diff-lines.ts';

/** Two texts that never change. */
export interface Compared {
  readonly from: string;
  readonly to: string;
  /** Identifies the two texts. */
  readonly pair: string;
}

export interface Diffing extends AsyncDisposable {
  /**
   * Returns the hunks from one text to another; undefined when they exceed the limits. A Refused result means
   * that the texts were not compared; a later request may succeed.
   */
  diffLines(compared: Compared, requester: Requester): Promise<Hunk[] | undefined | Refused>;
}

const bounds: Bounds = { edits: 4_000, lines: 20_000, milliseconds: 1_000 };

/** Texts of at most this many UTF-16 units each are compared on the event loop. */
const shortMax = 2 * 1024;
/** For short texts, on the event loop: 3 ms at most. Pairs that differ more are sent to the thread. */
const shortBounds: Bounds = { ...bounds, edits: 128, milliseconds: 10 };

const givenUpMax = 1_000;
const givenUpMs = 10 * 60_000;

/** Pairs that could not be compared within the limits. They are not tried again for a while. */
function openGivenUp() {
  const pairs = new Map<string, number>();
  return {
    has: (pair: string) => (pairs.get(pair) ?? 0) > performance.now(),
    add(pair: string): void {
      pairs.delete(pair);
      pairs.set(pair, performance.now() + givenUpMs);
      const [oldest] = pairs.keys();
      if (pairs.size > givenUpMax && oldest !== undefined) pairs.delete(oldest);
    },
  };
}

/**
 * Opens the diffing. No thread starts until the first long pair. `milliseconds` is the limit for one pair.
 */
export function openDiffing(
  onError: (error: Error) => void,
  milliseconds: number = bounds.milliseconds,
): Diffing {
  const givenUp = openGivenUp();
  const options = {
    file: new URL('diff-lines.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    // The work stops itself after a second. This deadline stops work that does not check the clock: garbage
    // collection.
    deadlineMs: 2_000,
    idleMs: 30_000,
    waiting: 64,
    waitingEach: 8,
    // Another request gave up on this pair while this one waited.
    hopeless: ({ pair }: DiffTask) => givenUp.has(pair),
  };
  const threads = openThreads<DiffTask, Hunk[] | undefined>(options, onError);
  return {
    diffLines: async ({ from, to, pair }, requester) => {
      if (from.length <= shortMax && to.length <= shortMax) {
        const hunks = diffLines(from, to, shortBounds);
        if (hunks !== undefined) return hunks;
      }
      if (givenUp.has(pair)) return undefined;
      const { result, failure } = await threads.run(
        { from, to, pair, bounds: { ...bounds, milliseconds } },
        requester,
      );
      if (failure === 'crowded' || failure === 'repeated') return failure;
      if (result) return result;
      if (!givenUp.has(pair)) givenUp.add(pair);
      return undefined;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
