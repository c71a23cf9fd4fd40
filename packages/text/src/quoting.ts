// Quotations that have changed, found in a worker thread.
import type { ChangedQuotes, QuotesTask } from './find-quotes.ts';
import { openThreads } from './threads.ts';
import type { Requester } from './threads.ts';

export type { ChangedQuotes } from './find-quotes.ts';

export interface Quoting extends AsyncDisposable {
  /**
   * Returns the comments with quotations that stood in an earlier text and are not in the present one; undefined
   * while the thread is busy. For texts beyond its limits it finds none.
   */
  findChangedQuotes(
    task: QuotesTask,
    requester: Requester,
  ): Promise<readonly ChangedQuotes[] | undefined>;
}

/** Opens the search for quotations. No thread starts until the first one. */
export function openQuoting(onError: (error: Error) => void): Quoting {
  const options = {
    file: new URL('find-quotes.ts', import.meta.url),
    threads: 1,
    memoryMb: 256,
    deadlineMs: 1_000,
    idleMs: 30_000,
    waiting: 64,
    waitingEach: 8,
  };
  const threads = openThreads<QuotesTask, readonly ChangedQuotes[]>(options, onError);
  return {
    findChangedQuotes: async (task, requester) => {
      const { result, failure } = await threads.run(task, requester);
      if (failure === 'crowded' || failure === 'repeated') return undefined;
      return result ?? [];
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
