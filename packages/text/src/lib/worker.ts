// The worker side of a thread pool: reports when the work on a task begins.

export interface Begun<T> {
  readonly task: T;
  /** One shared integer: becomes 1 when the work begins, so that the start of the thread does not count. */
  readonly begun: Int32Array;
}

/** Returns the function that Piscina calls, which wraps the function that does the work. */
export function worker<T, R>(work: (task: T) => R): (given: Begun<T>) => R {
  return ({ task, begun }) => {
    Atomics.store(begun, 0, 1);
    Atomics.notify(begun, 0);
    return work(task);
  };
}
