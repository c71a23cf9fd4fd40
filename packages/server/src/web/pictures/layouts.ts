// Layouts of graphs, made in a worker thread and cached by everything that they depend on.
import { hash } from 'node:crypto';
import { openThreads } from '@colophon/text';
import type { Client } from '@colophon/text';
import type { Layout, LayoutTask } from './graph-layout.ts';

/** Layouts in memory: about 20 KB each for the largest graphs. */
const cachedMax = 200;

export interface Layouts extends AsyncDisposable {
  /**
   * Returns the layout of a graph; null when no thread could make it in time. Requests for the same graph at
   * the same time share one layout.
   */
  layOut(task: LayoutTask, requester: Client | undefined): Promise<Layout | null>;
}

/** Opens the layouts. No thread starts until the first graph. */
export function openLayouts(onError: (error: Error) => void): Layouts {
  const options = {
    file: new URL('lay-out.ts', import.meta.url),
    threads: 1,
    memoryMb: 128,
    deadlineMs: 2_000,
    idleMs: 60_000,
    waiting: 64,
    waitingEach: 8,
  };
  const threads = openThreads<LayoutTask, Layout>(options, onError);
  const cached = new Map<string, Promise<Layout | null>>();

  async function make(task: LayoutTask, requester: Client | undefined): Promise<Layout | null> {
    try {
      return (await threads.run(task, requester)).result;
    } catch (error) {
      onError(error as Error);
      return null;
    }
  }

  return {
    layOut: async (task, requester) => {
      const key = hash('sha256', JSON.stringify(task), 'base64');
      const known = cached.get(key);
      const layout = known ?? make(task, requester);
      // The most recently used is last.
      cached.delete(key);
      cached.set(key, layout);
      const [oldest] = cached.keys();
      if (cached.size > cachedMax && oldest !== undefined) cached.delete(oldest);
      const made = await layout;
      // A later request tries again.
      if (made === null && cached.get(key) === layout) cached.delete(key);
      return made;
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
