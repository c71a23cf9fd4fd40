// The scopes of a token that must not be lost during a transaction, and whether an account is an administrator.
import { isAdminScope, scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { missingScope, problem } from '#http';
import type { Caller } from '#http';
import { keyOf } from '#lib/id';
import { findHolder, lockScopes } from '../queries/index.ts';

/**
 * Locks the caller's token until the transaction ends: a concurrent revocation of the token or the scope
 * takes effect before this transaction or after it.
 * @throws unauthenticated, insufficient-scope
 */
export async function lockScope(tx: Tx, caller: Caller, scope: Scope, now: Date): Promise<void> {
  if (caller.token === null) return;
  const locked = await lockScopes(tx, { bucket: caller.bucket, id: caller.token.id }, now);
  if (locked === undefined)
    throw problem(
      'unauthenticated',
      'This token was revoked while this request was running. Use another token.',
    );
  if (!locked.includes(scope)) throw missingScope([scope], locked);
}

const adminScopes = allScopes.filter(isAdminScope);

/** Returns whether a principal has a valid token with an admin scope. */
export async function isAdministrator(db: Db, id: string, now: Date): Promise<boolean> {
  return (await findHolder(db, keyOf(id), adminScopes, now)) !== undefined;
}
