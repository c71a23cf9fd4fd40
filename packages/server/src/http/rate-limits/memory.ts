// Buckets in the memory of this process, for a bounded number of keys.
import { charge, take } from './bucket.ts';
import type { Outcome, Rate } from './bucket.ts';

export interface Buckets {
  /** Takes one request, or one of that weight, out of the bucket of `key`. */
  readonly take: (key: string, weight?: number) => Outcome;
  /** Takes so many more for work that is done, and refuses nothing. */
  readonly charge: (key: string, requests: number) => void;
  /** What `take` would answer, without taking. */
  readonly look: (key: string) => Outcome;
}

/**
 * Buckets of one rate. Two generations: a key that is met goes into the young one; when that one is as
 * old as the window, or holds half of `keysMax`, the old one is dropped and the young one grows old. What
 * is dropped by age was full again, so nothing is lost; what is dropped for room, the keys not met for
 * longest, starts with a full bucket. So many addresses cost memory once and never a sweep. `now` is in
 * milliseconds and never goes back.
 */
export function openBuckets(
  rate: Rate,
  keysMax: number,
  now: () => number = () => performance.now(),
): Buckets {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let since = now();

  function outcome(key: string, at: number, weight?: number): Outcome {
    const fullAt = young.get(key) ?? old.get(key) ?? at;
    return take(rate, fullAt - at, weight);
  }

  function set(key: string, at: number, debtMs: number): void {
    if (young.size >= keysMax / 2 || at - since >= rate.windowMs) {
      old = young;
      young = new Map();
      since = at;
    }
    young.set(key, at + debtMs);
  }

  return {
    take: (key, weight) => {
      const at = now();
      const taken = outcome(key, at, weight);
      set(key, at, taken.debtMs);
      return taken;
    },
    charge: (key, requests) => {
      const at = now();
      const fullAt = young.get(key) ?? old.get(key) ?? at;
      set(key, at, charge(rate, fullAt - at, requests));
    },
    look: (key) => outcome(key, now()),
  };
}
