// A database that is away, restarting or too slow, as the problem that clients retry.
import { isConnectionLost, isStalePlan, isTimeout } from '#database';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** The problem `unavailable` with the error as its cause; undefined where the database is not the reason. */
export function unavailable(error: unknown): Problem | undefined {
  // A plan that stayed stale through every retry: its tables are being changed.
  if (!isConnectionLost(error) && !isTimeout(error) && !isStalePlan(error)) return undefined;
  const told = problem(
    'unavailable',
    'The database did not answer in time. Retry with the same Idempotency-Key.',
    { retry_after_seconds: 1 },
  );
  return Object.assign(told, { cause: error });
}
