// Holds the caller's account while a write runs, so that nothing of it is written after it was closed.
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
 * Holds the caller's account until the transaction ends, and an agent's owner too, whose state counts
 * for it: as every reference to it would, or for its closing alone. Whoever waited for a closing sees its
 * outcome. Sent before anything else, and awaited with it, so it costs no round trip.
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

/** What has happened to the account since the request was let in. @throws unauthenticated, forbidden */
export function requireStanding(
  { suspendedToo }: Pick<AnyOperation, 'suspendedToo'>,
  caller: Caller,
  standings: readonly Standing[] | undefined,
): void {
  const own = standings?.find(({ id }) => id === caller.id);
  if (own === undefined || own.status === 'closed') {
    throw unauthenticated(
      'This account was closed meanwhile. Register another with POST /v1/humans.',
      true,
    );
  }
  if (suspendedToo || caller.suspended) return;
  if (standings?.some(({ status }) => status !== 'active')) throw suspension();
}
