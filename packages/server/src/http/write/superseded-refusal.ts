// Detects refusals caused by the same request: sent twice, committed once, unseen by key and lock.
import type { Db } from '#database';
import { isRefusal } from './transaction.ts';
import { isAnswered } from './idempotency.ts';
import type { Holder, Key } from './idempotency.ts';
import { isProblem } from '../problem.ts';

interface Keyed {
  readonly holder: Holder;
  readonly key: Key;
}

/**
 * Whether the same request committed while this one was claiming its key, and so made its effect impossible:
 * then the refusal must be a replay. It costs refused writes one statement. An expired answer does not count: the
 * handler would run again without what `whenRefused` has deleted. `keyed` is undefined if the request had no key.
 */
export async function isSuperseded(
  { db, now }: { readonly db: Db; readonly now: () => Date },
  keyed: Keyed | undefined,
  error: unknown,
): Promise<boolean> {
  if (keyed === undefined || !isRefusal(error)) return false;
  if (isProblem(error) && error.problem.startsWith('idempotency-')) return false;
  return isAnswered(db, keyed.holder, keyed.key, now());
}
