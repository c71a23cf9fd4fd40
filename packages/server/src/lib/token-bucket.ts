// The token bucket as arithmetic on one number, the time until the bucket is full. Pure functions.

export interface Rate {
  /** Capacity of the bucket in requests. */
  readonly requests: number;
  /** Milliseconds in which an empty bucket fills. */
  readonly windowMs: number;
}

export interface Outcome {
  readonly admitted: boolean;
  /** Milliseconds until the bucket is full again. */
  readonly debtMs: number;
}

export interface Remainder {
  readonly admitted: boolean;
  /** Whole requests left. */
  readonly remaining: number;
  /** Seconds until the next request will be admitted, at least 1. */
  readonly waitSeconds: number;
}

/** Returns the tolerance in milliseconds of a request: sums of fractions of a millisecond are not exact. */
function forgivenMs(step: number): number {
  return Math.min(step / 100, 1);
}

/**
 * Takes one request, or one with a greater weight, out of a bucket that needs `debtMs` to be full. A weight
 * beyond the capacity takes all of it. This is the generic cell rate algorithm (ITU-T I.371), a token bucket
 * that fills evenly and is stored as a single number.
 */
export function take(rate: Rate, debtMs: number, weight = 1): Outcome {
  const owed = Math.min(Math.max(debtMs, 0), rate.windowMs);
  const step = rate.windowMs / rate.requests;
  const after = owed + step * Math.min(weight, rate.requests);
  const admitted = rate.requests > 0 && after <= rate.windowMs + forgivenMs(step);
  return { admitted, debtMs: admitted ? after : owed };
}

/**
 * Takes requests out of a bucket for work that is already done. It never refuses; the debt delays the next
 * request by at most one window. Returns the debt in milliseconds.
 */
export function charge(rate: Rate, debtMs: number, requests: number): number {
  const owed = Math.max(debtMs, 0) + (rate.windowMs / rate.requests) * requests;
  return Math.min(owed, rate.windowMs);
}

/** Returns what is reported to the caller after `take` of the same weight. */
export function remainderOf(rate: Rate, { admitted, debtMs }: Outcome, weight = 1): Remainder {
  if (rate.requests === 0)
    return { admitted, remaining: 0, waitSeconds: Math.ceil(rate.windowMs / 1000) };
  const step = rate.windowMs / rate.requests;
  const remaining = Math.floor((rate.windowMs - debtMs + forgivenMs(step)) / step);
  const waitMs = debtMs + step * Math.min(weight, rate.requests) - rate.windowMs;
  return {
    admitted,
    remaining: Math.max(0, remaining),
    waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  };
}
