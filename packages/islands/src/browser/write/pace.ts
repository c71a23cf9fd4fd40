// When to save: soon after a pause, now and then while typing, and never faster than the allowance lasts.

/** A pause in typing after which a text is saved. */
const idleMs = 2_000;
/** While somebody types without a pause. */
const typingMs = 15_000;
/**
 * An account has 120 revisions an hour at first. This many can follow each other quickly, and one a minute
 * after that: at most 100 an hour.
 */
const burst = 40;
const refillMs = 60_000;

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

export interface Pace {
  /** Returns how long to wait with a text that was changed first and last at these times. */
  wait(first: number, last: number, now: number): number;
  saved(now: number): void;
  /** Returns how long to wait after a failure: longer each time, never the same for everybody. */
  retry(): number;
  succeeded(): void;
}

export function openPace(): Pace {
  let left = burst;
  let counted = 0;
  let failures = 0;
  const refill = (now: number) => {
    left = Math.min(burst, left + (now - counted) / refillMs);
    counted = now;
  };
  return {
    wait: (first, last, now) => {
      refill(now);
      const due = Math.min(last + idleMs, first + typingMs);
      const allowed = left >= 1 ? 0 : (1 - left) * refillMs;
      return Math.max(0, due - now, allowed);
    },
    saved: (now) => {
      refill(now);
      left = Math.max(0, left - 1);
    },
    retry: () => {
      const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** failures);
      failures += 1;
      return longest * (0.5 + Math.random() / 2);
    },
    succeeded: () => {
      failures = 0;
    },
  };
}
