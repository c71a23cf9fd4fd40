// Takes one job at a time of each lane from the queue, so that slow jobs leave room for the others.
import type { WorkerEvents } from 'graphile-worker';
import type { Lane } from './subscriber.ts';

/** The flag of jobs of a lane. */
export const laneFlag = (lane: Lane) => `alone:${lane}`;

export interface SingletonJobs {
  /**
   * Returns the flags that a fetch must skip now. At most one fetch at a time may take jobs of a free lane.
   */
  readonly forbiddenFlags: () => string[];
  /** Runs jobs of a lane one after the other, if more than one was taken nevertheless. */
  readonly inTurn: <T>(lane: Lane, run: () => Promise<T>) => Promise<T>;
}

/**
 * Opens the limiter of singleton jobs. The queue's own means, a named queue, leaves seconds between two
 * jobs: the next fetch starts before the end of the last job is written.
 */
export function openSingletonJobs(events: WorkerEvents, lanes: readonly Lane[]): SingletonJobs {
  const last = new Map<Lane, Promise<unknown>>();
  const taken = new Map(lanes.map((lane) => [lane, 0]));
  /** The fetch that may take jobs of any kind; its worker is unknown until the fetch begins. */
  let looking: object | 'somebody' | undefined;
  events.on('worker:getJob:start', ({ worker }) => {
    if (looking === 'somebody') looking = worker;
  });
  const found = ({ worker }: { readonly worker: object }) => {
    if (looking === worker) looking = undefined;
  };
  // A job starts in the same turn of the event loop as this event: no fetch runs in between.
  events.on('job:start', found);
  events.on('worker:getJob:empty', found);
  events.on('worker:getJob:error', found);

  return {
    forbiddenFlags: () => {
      if (looking !== undefined) return lanes.map(laneFlag);
      const busy = lanes.filter((lane) => (taken.get(lane) ?? 0) > 0);
      if (busy.length < lanes.length) looking = 'somebody';
      return busy.map(laneFlag);
    },
    inTurn: async (lane, run) => {
      taken.set(lane, (taken.get(lane) ?? 0) + 1);
      const mine = (last.get(lane) ?? Promise.resolve()).then(run).finally(() => {
        taken.set(lane, (taken.get(lane) ?? 0) - 1);
      });
      last.set(
        lane,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
