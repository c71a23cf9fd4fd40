// Buckets in the memory of this process, for a limited number of keys.
import { charge, take } from './token-bucket.ts';
import type { Outcome, Rate } from './token-bucket.ts';

export interface Buckets {
  /** Takes one request, or one with that weight, out of the bucket of `key`. */
  readonly take: (key: string, weight?: number) => Outcome;
  /** Takes requests for work that is done; it never refuses. */
  readonly charge: (key: string, requests: number) => void;
  /** Returns what `take` would return, without taking. */
  readonly look: (key: string) => Outcome;
}

/**
 * Opens the buckets of one rate, in two generations. A key in use is stored in the young one; when that is as
 * old as the window or contains half of `keysMax`, the old one is dropped and the young one becomes the old
 * one. A bucket dropped by age was full again, so nothing is lost; a bucket dropped for room, one of the
 * least recently used, starts full. Many addresses therefore cost bounded memory and no sweep. `now` is in
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
