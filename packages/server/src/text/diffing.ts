// Line diffs in a worker thread of their own, bounded in time, memory and length.
import type { Bounds, DiffTask, Hunk } from './diff-lines.ts';
import { openThreads } from './threads.ts';
import type { Requester } from './threads.ts';
import type { Refused } from './turns.ts';

export type { Hunk } from './diff-lines.ts';

export interface Diffing extends AsyncDisposable {
  /**
   * The hunks from one text to another; undefined where they cannot be had within the bounds. Refused:
   * the texts were not compared, and may be later.
   */
  diffLines(from: string, to: string, requester: Requester): Promise<Hunk[] | undefined | Refused>;
}

const bounds: Bounds = { edits: 4_000, lines: 20_000, milliseconds: 1_000 };

/** Starts no thread yet. */
export function openDiffing(onError: (error: Error) => void): Diffing {
  const options = {
    file: new URL('diff-lines.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs: 4_000,
    idleMs: 30_000,
    waiting: 64,
    waitingEach: 8,
  };
  const threads = openThreads<DiffTask, Hunk[] | undefined>(options, onError);
  return {
    diffLines: async (from, to, requester) => {
      const { result, failure } = await threads.run({ from, to, bounds }, requester);
      if (failure === 'crowded' || failure === 'repeated') return failure;
      return result ?? undefined;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
