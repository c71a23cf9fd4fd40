// The scopes of a token that must not be lost during a transaction, and whether an account is an administrator.
import { isAdminScope, ordinaryScopes, scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { missingScope, problem } from '#http';
import type { Caller } from '#http';
import { keyOf } from '#lib/id';
import {
  findHolder,
  findTokenOfSession,
  listGrantedScopes,
  lockHolder,
  lockScopes,
} from '../queries/index.ts';
import { endedSession, isChecked, isCheckedForDesk, unconfirmedProblem } from './checks.ts';

const adminScopes = allScopes.filter(isAdminScope);

/** What the account of a session may do at the desk, or why the desk does not open. */
export type DeskEntry =
  | { readonly caller: Caller }
  /** The account holds no admin scope, or is suspended. */
  | { readonly caller: null; readonly why: 'no-scope' }
  /** The person must confirm with a passkey first. */
  | { readonly caller: null; readonly why: 'unchecked' };

/**
 * Returns the caller of a session with the admin scopes of the account: those that its valid tokens carry. Other
 * pages do not ask for them, so that moderators read what everybody reads.
 */
export async function enterDesk(db: Db, caller: Caller, now: Date): Promise<DeskEntry> {
  const isBarred = caller.session === null || caller.kind === 'agent' || caller.suspended;
  if (isBarred) return { caller: null, why: 'no-scope' };
  const held = await listGrantedScopes(db, caller, adminScopes, now);
  if (held.length === 0) return { caller: null, why: 'no-scope' };
  if (!isCheckedForDesk(caller, now)) return { caller: null, why: 'unchecked' };
  return { caller: { ...caller, scopes: [...caller.scopes, ...held] } };
}

/**
 * Requires a passkey check of the last minutes, which opens the desk for hours.
 * @throws forbidden
 */
export function confirmForDesk(caller: Caller, now: Date): void {
  if (!isChecked(caller, now)) throw unconfirmedProblem();
}

/** The same for a session, whose account holds the scope by one of its tokens. */
async function lockScopeOfSession(tx: Tx, caller: Caller, scope: Scope, now: Date): Promise<void> {
  if (!isCheckedForDesk(caller, now)) throw unconfirmedProblem();
  if (!(await lockHolder(tx, caller, scope, now))) {
    const held = caller.scopes.filter((one) => one !== scope);
    throw missingScope([scope], { ...caller, scopes: held });
  }
}

/**
 * Locks the caller's token until the transaction ends: a concurrent revocation of the token or the scope
 * takes effect before this transaction or after it.
 * @throws unauthenticated, insufficient-scope
 */
export async function lockScope(tx: Tx, caller: Caller, scope: Scope, now: Date): Promise<void> {
  if (caller.token === null) {
    await lockScopeOfSession(tx, caller, scope, now);
    return;
  }
  const locked = await lockScopes(tx, { bucket: caller.bucket, id: caller.token.id }, now);
  if (locked === undefined)
    throw problem(
      'unauthenticated',
      'This token was revoked while this request was running. Use another token.',
    );
  if (!locked.includes(scope)) throw missingScope([scope], { ...caller, scopes: locked });
}

/**
 * Requires that a session can do all that its account can, before its first passkey lets it: otherwise a token
 * with fewer scopes, or one that expires, becomes the whole account. The token is locked until the commit.
 * @throws forbidden, unauthenticated
 */
export async function requireWholeAccount(
  tx: Tx,
  caller: Caller,
  sessionId: string,
  now: Date,
): Promise<void> {
  const { bucket } = caller;
  const token = await findTokenOfSession(tx, { bucket, id: sessionId });
  if (token === undefined) return;
  const [carried, admin] = await Promise.all([
    lockScopes(tx, { bucket, id: token.id }, now),
    listGrantedScopes(tx, caller, adminScopes, now),
  ]);
  if (carried === undefined) throw endedSession();
  const missing = [...ordinaryScopes, ...admin].filter((scope) => !carried.includes(scope));
  if (missing.length === 0 && token.expires_at === null) return;
  const lacks = missing.length > 0 ? `lacks ${missing.join(', ')}` : 'expires';
  throw problem(
    'forbidden',
    `A passkey opens the whole account, and the token whose link you used ${lacks}. Open a link of a token that has every scope of the account and does not expire.`,
  );
}

/** Returns whether a principal has a valid token with an admin scope. */
export async function isAdministrator(db: Db, id: string, now: Date): Promise<boolean> {
  return (await findHolder(db, keyOf(id), adminScopes, now)) !== undefined;
}
