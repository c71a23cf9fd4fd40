// The times of recoveries, as the long runs report them.

/** Returns the number, the median and the most of these milliseconds. */
export function summaryOf(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right).map(Math.round);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${sorted.length} times, median ${middle}, most ${sorted.at(-1) ?? 0}`;
}
