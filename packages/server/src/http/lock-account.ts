// Locks the caller's account and session during a write, so that nothing is written after either has ended.
import type { AnyOperation } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import { suspension, unauthenticated } from './caller.ts';
import type { Caller } from './caller.ts';
import { problem } from './problem.ts';

interface Standing {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
}

/** What a write locks of its caller. */
export interface AccountLock {
  /** The account exclusively, and not the owner: for closing it. */
  readonly alone: boolean;
  /** The session of the request too. Ceremonies do not: those that end sessions would wait for each other. */
  readonly withSession: boolean;
}

/**
 * Locks the account of the caller until the transaction ends: with `for key share`, as a foreign key does,
 * and for an agent its owner too, whose state applies to it. A write that waited for a closing or for the end
 * of its session sees the outcome. The statement is sent before all others and awaited with them, so it costs
 * no round trip.
 */
export function lockAccount(
  tx: Tx,
  { bucket, id, ownerId, session }: Pick<Caller, 'bucket' | 'id' | 'ownerId' | 'session'>,
  { alone, withSession }: AccountLock,
): Promise<readonly Standing[]> {
  if (alone) {
    return tx.rows(sql<Standing>`
      select id, status
      from principals
      where bucket = ${bucket} and id = ${id}
      for update`);
  }
  if (withSession && session !== null) {
    return tx.rows(sql<Standing>`
      select p.id, p.status
      from principals p
      join sessions s on s.bucket = p.bucket and s.principal_id = p.id
      where p.bucket = ${bucket} and p.id = ${id} and s.id = ${session.id}
      for key share`);
  }
  return tx.rows(sql<Standing>`
    select id, status
    from principals
    where bucket = ${bucket} and id = any(${ownerId === null ? [id] : [id, ownerId]})
    order by id
    for key share`);
}

/**
 * Checks that the account was not closed or suspended, and the session not ended, since the request was
 * admitted.
 * @throws unauthenticated: the account was closed, or the session has ended
 * @throws forbidden: the account was suspended
 */
export function requireStanding(
  { suspendedToo }: Pick<AnyOperation, 'suspendedToo'>,
  caller: Caller,
  standings: readonly Standing[] | undefined,
): void {
  const own = standings?.find(({ id }) => id === caller.id);
  if (own === undefined && caller.session !== null) {
    throw problem(
      'unauthenticated',
      'Your session ended while this was being sent. Sign in again.',
    );
  }
  if (own === undefined || own.status === 'closed') {
    throw unauthenticated(
      'This account was closed while this request was running. Register another with POST /v1/humans.',
      true,
    );
  }
  if (suspendedToo || caller.suspended) return;
  if (standings?.some(({ status }) => status !== 'active')) throw suspension();
}
