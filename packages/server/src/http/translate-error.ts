// Translates the failure of an operation into a problem.
import { violatedConstraint } from '#database';
import type { CompiledOperation } from './compile-operation.ts';
import { isProblem, problem } from './problem.ts';
import { quotaExceeded, usedConstraint } from './write/quotas.ts';
import type { Charge } from './write/quotas.ts';
import { unavailable } from './unavailable.ts';

/** A foreign key to the caller's account, which existed when the request was admitted. */
const ownerConstraint = /_(author|principal)_id_fkey$/;

/** Returns the problem for an error of an operation; an unexpected error is returned unchanged. */
export function translateError(
  compiled: Pick<CompiledOperation, 'refusals'>,
  error: unknown,
  charged?: Charge,
): unknown {
  if (isProblem(error)) return error;
  const constraint = violatedConstraint(error) ?? '';
  if (constraint === usedConstraint && charged) return quotaExceeded(charged);
  if (ownerConstraint.test(constraint)) {
    return problem(
      'unauthenticated',
      'This account was deleted while this request was running. Register again.',
    );
  }
  return compiled.refusals[constraint]?.(problem) ?? unavailable(error) ?? error;
}
