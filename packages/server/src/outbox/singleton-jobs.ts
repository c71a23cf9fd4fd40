// Lets one job at a time of each lane be taken from the queue, so that the others keep their places.
import type { WorkerEvents } from 'graphile-worker';
import type { Lane } from './messages.ts';

/** On jobs of a lane. */
export const laneFlag = (lane: Lane) => `alone:${lane}`;

export interface SingletonJobs {
  /** What whoever looks for a job now has to leave. Who is not told to leave these jobs is the only one. */
  readonly forbiddenFlags: () => string[];
  /** Runs one after the other what was taken all the same. */
  readonly inTurn: <T>(lane: Lane, run: () => Promise<T>) => Promise<T>;
}

/**
 * The queue's own way, a name for a queue, leaves seconds between two jobs: the next one is looked for
 * before the end of the last is written.
 */
export function openSingletonJobs(events: WorkerEvents, lanes: readonly Lane[]): SingletonJobs {
  const last = new Map<Lane, Promise<unknown>>();
  const taken = new Map(lanes.map((lane) => [lane, 0]));
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
