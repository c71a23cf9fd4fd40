// A refusal in the shadow of the same request: sent twice, committed once, and seen by neither key nor lock.
import type { Db } from '#database';
import { isRefusal } from './transaction.ts';
import type { Caller } from '../caller.ts';
import { isAnswered } from './idempotency.ts';
import type { Key } from './idempotency.ts';
import { isProblem } from '../problem.ts';

interface Keyed {
  readonly caller: Caller | null;
  /** undefined: the request had none. */
  readonly key: Key | undefined;
}

/**
 * Whether the same request committed while this one was taking its key, and so made its effect impossible:
 * a replay is due in place of the refusal. It costs refused writes one statement. An answer that is forgotten
 * does not count: the handler would run once more, with what `whenRefused` has taken back.
 */
export async function isSuperseded(
  { db, now }: { readonly db: Db; readonly now: () => Date },
  { caller, key }: Keyed,
  error: unknown,
): Promise<boolean> {
  if (key === undefined || caller === null || !isRefusal(error)) return false;
  if (isProblem(error) && error.problem.startsWith('idempotency-')) return false;
  return isAnswered(db, caller, key, now());
}
