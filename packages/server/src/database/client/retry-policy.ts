// Decides whether and when a failed statement is retried.
import { isStalePlan, isWithoutRetry } from './pg-errors.ts';

const attempts = 3;

/**
 * Returns a function that gives the milliseconds before the next attempt; undefined if there is none. A lost
 * connection is retried a few times; a stale plan once for each connection, since each has its own plans and
 * is closed after the error.
 */
export function retryPolicy(connections: number): (error: unknown) => number | undefined {
  let tries = 1;
  let stale = connections;
  return (error) => {
    if (isStalePlan(error)) return stale-- > 0 ? 0 : undefined;
    if (tries >= attempts || isWithoutRetry(error)) return undefined;
    const pause = 20 * tries * tries;
    tries += 1;
    return pause + Math.random() * 20;
  };
}
