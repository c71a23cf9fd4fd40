// Locks the caller's account and credential during a write, so that nothing is written after either has ended.
import type { AnyOperation } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import { suspension, unauthenticatedProblem } from './caller.ts';
import type { Caller } from './caller.ts';
import { problem } from './problem.ts';

interface AccountStatus {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
}

type Locked = Pick<Caller, 'bucket' | 'id' | 'ownerId' | 'session' | 'token'>;

/** What a write locks of its caller. */
export interface AccountLock {
  /** The account exclusively, and not the owner: for closing it. */
  readonly alone: boolean;
  /**
   * The session or token of the request too. Writes that end sessions or tokens do not lock it: two at once
   * would wait for each other.
   */
  readonly withCredential: boolean;
}

/**
 * Locks an account and a session of it. A session that a link opened ends with the token of the link, which is locked
 * too: after the account, as closing it does.
 */
function lockSession(
  tx: Tx,
  { bucket, id }: RowKey,
  sessionId: string,
): Promise<readonly AccountStatus[]> {
  return tx.rows(sql<AccountStatus>`
    with account as materialized (
      select p.id, p.status, s.token_id
      from principals p
      join sessions s on s.bucket = p.bucket and s.principal_id = p.id
      where p.bucket = ${bucket} and p.id = ${id} and s.id = ${sessionId}
      for key share
    ), opener as materialized (
      select t.id
      from account
      join tokens t on t.bucket = ${bucket} and t.id = account.token_id
      where t.revoked_at is null
      for key share of t
    )
    select id, status
    from account
    where token_id is null or exists (select 1 from opener)`);
}

/** Locks an account exclusively, and then the token of the request. One that is closed is returned all the same. */
function lockAlone(
  tx: Tx,
  { bucket, id }: RowKey,
  token: Locked['token'],
): Promise<readonly AccountStatus[]> {
  if (token === null) {
    return tx.rows(sql<AccountStatus>`
      select id, status
      from principals
      where bucket = ${bucket} and id = ${id}
      for update`);
  }
  return tx.rows(sql<AccountStatus>`
    with account as materialized (
      select id, status
      from principals
      where bucket = ${bucket} and id = ${id}
      for update
    ), credential as materialized (
      select t.id
      from account
      join tokens t on t.bucket = ${bucket} and t.id = ${token.id}
      where t.revoked_at is null
      for key share of t
    )
    select id, status
    from account
    where status = 'closed' or exists (select 1 from credential)`);
}

/**
 * Locks the account of the caller until the transaction ends: with `for key share`, as a foreign key does,
 * and for an agent its owner too, whose state applies to it. A write that waited for a closing, or for the end
 * of its session or token, sees the outcome. The statement is sent before all others and awaited with them,
 * so it costs no round trip.
 */
export function lockAccount(
  tx: Tx,
  { bucket, id, ownerId, session, token }: Locked,
  { alone, withCredential }: AccountLock,
): Promise<readonly AccountStatus[]> {
  if (alone) return lockAlone(tx, { bucket, id }, withCredential ? token : null);
  const accounts = ownerId === null ? [id] : [id, ownerId];
  if (withCredential && session !== null) return lockSession(tx, { bucket, id }, session.id);
  if (withCredential && token !== null) {
    return tx.rows(sql<AccountStatus>`
      select p.id, p.status
      from principals p
      join tokens t on t.bucket = p.bucket and t.id = ${token.id} and t.revoked_at is null
      where p.bucket = ${bucket} and p.id = any(${accounts})
      order by p.id
      for key share`);
  }
  return tx.rows(sql<AccountStatus>`
    select id, status
    from principals
    where bucket = ${bucket} and id = any(${accounts})
    order by id
    for key share`);
}

/**
 * Checks that the account was not closed or suspended, and its session or token not ended, since the request
 * was admitted.
 * @throws unauthenticated: the account was closed, or its session or token has ended
 * @throws forbidden: the account was suspended
 */
export function requireMayWrite(
  { suspendedToo }: Pick<AnyOperation, 'suspendedToo'>,
  caller: Caller,
  statuses: readonly AccountStatus[] | undefined,
): void {
  const own = statuses?.find(({ id }) => id === caller.id);
  if (own === undefined && caller.session !== null) {
    throw problem(
      'unauthenticated',
      'Your session ended while this was being sent. Sign in again.',
    );
  }
  if (own === undefined) {
    throw unauthenticatedProblem(
      'This token was revoked while this request was running. Issue another with POST /v1/tokens.',
      true,
    );
  }
  if (own.status === 'closed') {
    throw unauthenticatedProblem(
      'This account was closed while this request was running. Register another with POST /v1/humans.',
      true,
    );
  }
  if (suspendedToo || caller.suspended) return;
  if (statuses?.some(({ status }) => status !== 'active')) throw suspension(caller);
}
