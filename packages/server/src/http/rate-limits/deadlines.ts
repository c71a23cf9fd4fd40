// Deadlines for many short waits: one timer for all of them, and a clock that stands while this process is busy.

/** The clock of a wait moves this often until its end. */
const steps = 5;

interface Wait {
  readonly dueAt: number;
  readonly fail: () => void;
}

/**
 * Returns a function that rejects if `work` takes longer than `milliseconds`; its later result is ignored. Time
 * in which this process was busy counts as one step: what it has not sent or read yet is not late.
 */
export function openDeadlines(
  milliseconds: number,
  message: string,
): <T>(work: Promise<T>) => Promise<T> {
  const waits = new Set<Wait>();
  let now = 0;
  let clock: NodeJS.Timeout | undefined;

  function move(): void {
    now += 1;
    for (const one of waits) {
      if (one.dueAt > now) break;
      waits.delete(one);
      // The answer may have arrived: it is read before the immediate.
      setImmediate(one.fail);
    }
    if (waits.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  }

  return async <T>(work: Promise<T>) => {
    const late = Promise.withResolvers<never>();
    const one = { dueAt: now + steps, fail: () => late.reject(new Error(message)) };
    waits.add(one);
    // What is waited for keeps the process alive, and this must not when it has come.
    clock ??= setInterval(move, milliseconds / steps).unref();
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      waits.delete(one);
    }
  };
}
