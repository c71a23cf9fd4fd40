// Reads the caller of a credential by its hash, alone or with something about the caller beside it.
import { readByHash, sql } from '#database';
import type { HashKey, KeyedRead, KeyMember, Statement } from '#database';
import type { Beside } from './caller.ts';

type RowBeside<R> = R & { readonly beside?: string | null };

/**
 * Returns a function for the read of a caller, whose row has the columns of `rowOf`, with `beside` if it is asked
 * for. Each read is made once, so that requests with the same one share statements.
 */
export function callerReads<R>(
  rowOf: (bucket: KeyMember, hash: KeyMember) => Statement<R>,
): (beside: Beside | undefined) => KeyedRead<HashKey, RowBeside<R>> {
  const alone = readByHash((bucket, hash) => rowOf(bucket, hash) as Statement<RowBeside<R>>);
  const made = new Map<Beside, KeyedRead<HashKey, RowBeside<R>>>();

  function readBeside(beside: Beside): KeyedRead<HashKey, RowBeside<R>> {
    return readByHash(
      (bucket, hash) => sql<RowBeside<R>>`
        select found.*, (${beside(bucket)}) as beside
        from (${rowOf(bucket, hash)}) as found`,
    );
  }

  return (beside) => {
    if (beside === undefined) return alone;
    const read = made.get(beside) ?? readBeside(beside);
    made.set(beside, read);
    return read;
  };
}
