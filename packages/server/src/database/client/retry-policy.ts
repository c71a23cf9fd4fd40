// Whether what failed is tried again, and when.
import { isStalePlan } from './pg-errors.ts';

const attempts = 3;

/**
 * Whether another try is worth it, and after how many milliseconds: a few times for a lost connection,
 * and for a stale plan once for each connection, since each has its own and is closed when it shows.
 */
export function retryPolicy(connections: number): (error: unknown) => number | undefined {
  let tries = 1;
  let stale = connections;
  return (error) => {
    if (isStalePlan(error)) return stale-- > 0 ? 0 : undefined;
    if (tries >= attempts) return undefined;
    const pause = 20 * tries * tries;
    tries += 1;
    return pause + Math.random() * 20;
  };
}
