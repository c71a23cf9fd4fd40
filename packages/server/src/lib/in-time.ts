// A limit of time for work that cannot be cancelled.

/** Returns the result of `work`, or rejects after the limit with the reason; a later result is ignored. */
export async function inTime<T>(work: Promise<T>, limitMs: number, reason: Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(reason), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
