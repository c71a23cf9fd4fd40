// Lets one at a time of the reactions that run alone be taken from the queue, so that the others keep their places.
import type { WorkerEvents } from 'graphile-worker';

/** On jobs of such reactions. */
export const aloneFlag = 'alone';

export interface Alone {
  /** What whoever looks for a job now has to leave. Who is not told to leave these jobs is the only one. */
  readonly forbiddenFlags: () => string[];
  /** Runs one after the other what was taken all the same. */
  readonly inTurn: <T>(run: () => Promise<T>) => Promise<T>;
}

/**
 * The queue's own way, a name for a queue, leaves seconds between two jobs: the next one is looked for
 * before the end of the last is written.
 */
export function openAlone(events: WorkerEvents): Alone {
  let last: Promise<unknown> = Promise.resolve();
  let taken = 0;
  /** Who looks for a job of any kind; it is not known by name before it begins to look. */
  let looking: object | 'somebody' | undefined;
  events.on('worker:getJob:start', ({ worker }) => {
    if (looking === 'somebody') looking = worker;
  });
  const found = ({ worker }: { readonly worker: object }) => {
    if (looking === worker) looking = undefined;
  };
  // A job starts in the turn of the loop in which this is told: nobody looks in between.
  events.on('job:start', found);
  events.on('worker:getJob:empty', found);
  events.on('worker:getJob:error', found);

  return {
    forbiddenFlags: () => {
      if (taken > 0 || looking !== undefined) return [aloneFlag];
      looking = 'somebody';
      return [];
    },
    inTurn: async (run) => {
      taken += 1;
      const mine = last.then(run).finally(() => {
        taken -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
