// Reports a database or disk that is temporarily unavailable as the problem that clients retry.
import {
  isConnectionLost,
  isOutOfResources,
  isRerunnable,
  isStalePlan,
  isTimeout,
} from '#database';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';

/**
 * File system errors that an operator can fix while the server runs. EEXIST and ENOTDIR: a file is where a folder
 * should be. ENOENT and ELOOP: a link in its place leads nowhere.
 */
const diskFaults: ReadonlySet<string> = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EIO',
  'ELOOP',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ENOTDIR',
  'EROFS',
]);
/** Lack of space or memory needs an operator: a retry after one second is too early. */
const resourceSeconds = 30;

/** A socket of the database that is missing or forbidden has the same codes. */
function isDiskFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== 'connect' && diskFaults.has(code);
}

/**
 * Returns the problem `unavailable` with the error as its cause; undefined if neither database nor disk is
 * the cause.
 */
export function unavailable(error: unknown): Problem | undefined {
  if (isOutOfResources(error) || isDiskFault(error)) {
    const detail =
      'The server cannot use its disk, or is out of space, memory or another resource. Retry with the same Idempotency-Key.';
    const members = { retry_after_seconds: resourceSeconds };
    return Object.assign(problem('unavailable', detail, members), { cause: error });
  }
  // A plan that is still stale after every retry means that its tables are being changed, and so may a deadlock.
  const kinds = [isConnectionLost, isTimeout, isStalePlan, isRerunnable];
  if (!kinds.some((isOfKind) => isOfKind(error))) return undefined;
  const refusal = problem(
    'unavailable',
    'The database did not answer in time. Retry with the same Idempotency-Key.',
    { retry_after_seconds: 1 },
  );
  return Object.assign(refusal, { cause: error });
}
