// What a failure of an operation is answered with.
import { violatedConstraint } from '#database';
import type { CompiledOperation } from './compile-operation.ts';
import { isProblem, problem } from './problem.ts';
import { quotaExceeded, usedConstraint } from './write/quotas.ts';
import type { Charge } from './write/quotas.ts';
import { unavailable } from './unavailable.ts';

/** What a caller writes refers to the caller, who was there a moment ago. */
const ownerConstraint = /_(author|principal)_id_fkey$/;

/** The problem that an error of an operation is answered with; an error that nobody foresaw stays itself. */
export function translateError(
  bound: Pick<CompiledOperation, 'refusals'>,
  error: unknown,
  charged?: Charge,
): unknown {
  if (isProblem(error)) return error;
  const constraint = violatedConstraint(error) ?? '';
  if (constraint === usedConstraint && charged) return quotaExceeded(charged);
  if (ownerConstraint.test(constraint)) {
    return problem('unauthenticated', 'This account was removed meanwhile. Register again.');
  }
  return bound.refusals[constraint]?.(problem) ?? unavailable(error) ?? error;
}
