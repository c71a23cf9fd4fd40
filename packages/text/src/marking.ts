// The words that differ in line diffs: in short diffs found here, in others in a worker thread.
import type { Hunk } from './diff-lines.ts';
import { markWords } from './mark-words.ts';
import type { MarkBounds, MarkedHunk, MarkTask } from './mark-words.ts';
import { openThreads } from './threads.ts';
import type { Requester } from './threads.ts';

export type { MarkedHunk, MarkedLine } from './mark-words.ts';

export interface Marking extends AsyncDisposable {
  /**
   * Returns the hunks with the words that differ. While the thread is busy, and for pairs beyond the bounds, lines
   * have no words, and are shown as removed and added lines.
   */
  markWords(hunks: readonly Hunk[], requester: Requester): Promise<readonly MarkedHunk[]>;
}

const bounds: MarkBounds = {
  pairs: 1_000,
  // A thousand lines of a hundred words with a few changes take half of it; unlike lines are skipped.
  comparisons: 400_000,
  milliseconds: 1_000,
  line: 20_000,
  edits: 500,
};

/** Diffs of at most this many UTF-16 units are compared on the event loop. */
const shortMax = 2 * 1024;
/** Less than a millisecond a pair. The limit only ends work on a machine that is much too busy. */
const shortBounds: MarkBounds = {
  pairs: 20,
  comparisons: 150_000,
  milliseconds: 100,
  line: 2_000,
  edits: 120,
};

function sizeOf(hunks: readonly Hunk[]): number {
  let size = 0;
  for (const { lines } of hunks) for (const { text } of lines) size += text.length;
  return size;
}

/** Opens the marking. No thread starts until the first long diff. */
export function openMarking(onError: (error: Error) => void): Marking {
  const options = {
    file: new URL('mark-words.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    // The work stops itself before.
    deadlineMs: 2_000,
    idleMs: 30_000,
    waiting: 64,
    waitingEach: 8,
  };
  const threads = openThreads<MarkTask, readonly MarkedHunk[]>(options, onError);
  return {
    markWords: async (hunks, requester) => {
      if (sizeOf(hunks) <= shortMax) return markWords({ hunks, bounds: shortBounds });
      const { result } = await threads.run({ hunks, bounds }, requester);
      return result ?? hunks;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
