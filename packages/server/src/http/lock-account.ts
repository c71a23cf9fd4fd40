// Locks the caller's account during a write, so that nothing is written to it after it was closed.
import type { AnyOperation } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import { suspension, unauthenticated } from './caller.ts';
import type { Caller } from './caller.ts';

interface Standing {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
}

/**
 * Locks the account of the caller until the transaction ends: with `for key share`, as a foreign key does,
 * and for an agent its owner too, whose state applies to it; if `alone`, exclusively and without the owner,
 * for closing the account. A write that waited for a closing sees its outcome. The statement is sent before
 * all others and awaited with them, so it costs no round trip.
 */
export function lockAccount(
  tx: Tx,
  { bucket, id, ownerId }: Pick<Caller, 'bucket' | 'id' | 'ownerId'>,
  alone: boolean,
): Promise<readonly Standing[]> {
  if (alone) {
    return tx.rows(sql<Standing>`
      select id, status
      from principals
      where bucket = ${bucket} and id = ${id}
      for update`);
  }
  return tx.rows(sql<Standing>`
    select id, status
    from principals
    where bucket = ${bucket} and id = any(${ownerId === null ? [id] : [id, ownerId]})
    order by id
    for key share`);
}

/**
 * Checks that the account was not closed or suspended since the request was admitted.
 * @throws unauthenticated: the account was closed
 * @throws forbidden: the account was suspended
 */
export function requireStanding(
  { suspendedToo }: Pick<AnyOperation, 'suspendedToo'>,
  caller: Caller,
  standings: readonly Standing[] | undefined,
): void {
  const own = standings?.find(({ id }) => id === caller.id);
  if (own === undefined || own.status === 'closed') {
    throw unauthenticated(
      'This account was closed while this request was running. Register another with POST /v1/humans.',
      true,
    );
  }
  if (suspendedToo || caller.suspended) return;
  if (standings?.some(({ status }) => status !== 'active')) throw suspension();
}
