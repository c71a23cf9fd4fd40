// A database or a disk that refuses for now, as the problem that clients retry.
import { isConnectionLost, isOutOfResources, isStalePlan, isTimeout } from '#database';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** What the file system refuses, and an operator can mend while we run. */
const diskFaults: ReadonlySet<string> = new Set([
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
  'EROFS',
]);
/** Space and memory take an operator: a second is too short. */
const resourceSeconds = 30;

function isDiskFault(error: unknown): boolean {
  return error instanceof Error && diskFaults.has((error as NodeJS.ErrnoException).code ?? '');
}

/** The problem `unavailable` with the error as its cause; undefined where neither database nor disk is the reason. */
export function unavailable(error: unknown): Problem | undefined {
  if (isOutOfResources(error) || isDiskFault(error)) {
    const detail =
      'The server is out of disk space, memory or another resource. Retry with the same Idempotency-Key.';
    const members = { retry_after_seconds: resourceSeconds };
    return Object.assign(problem('unavailable', detail, members), { cause: error });
  }
  // A plan that stayed stale through every retry: its tables are being changed.
  if (!isConnectionLost(error) && !isTimeout(error) && !isStalePlan(error)) return undefined;
  const told = problem(
    'unavailable',
    'The database did not answer in time. Retry with the same Idempotency-Key.',
    { retry_after_seconds: 1 },
  );
  return Object.assign(told, { cause: error });
}
