// The worker side of a thread pool: reports when the work on a task begins, and in which thread.
import { threadId } from 'node:worker_threads';

export interface Begun<T> {
  readonly task: T;
  /**
   * Three shared integers. The first becomes 1 when the work begins, so that the start of the thread does not count;
   * then the others are the id of the thread and its processor time until then in milliseconds.
   */
  readonly begun: Int32Array;
}

export function newBegun(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Returns the processor time of this thread in milliseconds. */
function ownProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the function that Piscina calls, which wraps the function that does the work. */
export function worker<T, R>(work: (task: T) => R): (given: Begun<T>) => R {
  return ({ task, begun }) => {
    Atomics.store(begun, 1, threadId);
    Atomics.store(begun, 2, ownProcessorMs());
    Atomics.store(begun, 0, 1);
    Atomics.notify(begun, 0);
    return work(task);
  };
}
