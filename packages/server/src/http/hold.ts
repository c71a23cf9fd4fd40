// Holds the caller's account while a write runs, so that nothing of it is written after it was closed.
import { sql } from '#database';
import type { Tx } from '#database';
import { suspension, unauthenticated } from './caller.ts';
import type { Caller } from './caller.ts';

interface Standing {
  readonly status: 'active' | 'suspended' | 'closed';
}

/**
 * Holds the caller's account until the transaction ends: as every reference to it would, or for its
 * closing alone. Whoever waited for a closing sees its outcome. Sent before anything else, and awaited
 * with it, so it costs no round trip.
 */
export function holdCaller(
  tx: Tx,
  { bucket, id }: Pick<Caller, 'bucket' | 'id'>,
  alone: boolean,
): Promise<Standing | undefined> {
  if (alone) {
    return tx.first(sql<Standing>`
      select status
      from principals
      where bucket = ${bucket} and id = ${id}
      for update`);
  }
  return tx.first(sql<Standing>`
    select status
    from principals
    where bucket = ${bucket} and id = ${id}
    for key share`);
}

/** What has happened to the account since the request was let in. @throws unauthenticated, forbidden */
export function requireStanding(caller: Caller, standing: Standing | undefined): void {
  if (standing === undefined || standing.status === 'closed') {
    throw unauthenticated(
      'This account was closed meanwhile. Register another with POST /v1/humans.',
      true,
    );
  }
  if (standing.status === 'suspended' && !caller.suspended) throw suspension();
}
