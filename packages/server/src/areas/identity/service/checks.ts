// What a caller must have when a request commits: an open session, a fresh passkey check, a scope of the desk.
import { isAdminScope, scopes as allScopes, sessionLimits } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { missingScope, problem, unauthenticatedProblem } from '#http';
import type { Caller, Problem } from '#http';
import { keyOf } from '#lib/id';
import {
  countPasskeys,
  findHolder,
  listGrantedScopes,
  lockHolder,
  lockScopes,
  lockSession,
} from '../queries/index.ts';

/** The scopes that only the desk uses. */
export const adminScopes = allScopes.filter(isAdminScope);

type Checked = Pick<Caller, 'session'>;

function isCheckedFor({ session }: Checked, now: Date, minutes: number): boolean {
  if (session === null || session.checkedAt === null) return false;
  return now.getTime() - Date.parse(session.checkedAt) < minutes * 60_000;
}

/** Whether the caller confirmed with a passkey, a few minutes ago at most, to be present. */
function isChecked(caller: Checked, now: Date): boolean {
  return isCheckedFor(caller, now, sessionLimits.check_minutes);
}

/** Whether the caller confirmed with a passkey recently enough to act with admin scopes. */
function isCheckedForDesk(caller: Checked, now: Date): boolean {
  return isCheckedFor(caller, now, sessionLimits.desk_check_hours * 60);
}

export function endedSession(): Problem {
  return unauthenticatedProblem('Your session has ended. Sign in again.', true);
}

/** Returns 403 with `passkey_check`: a script of the page confirms, and sends the request again. */
export function unconfirmedProblem(): Problem {
  return problem(
    'forbidden',
    `Confirm with your passkey first, and send the request again within ${sessionLimits.check_minutes} minutes.`,
    { passkey_check: true },
  );
}

/**
 * Requires that the session of the request goes on, and keeps it until the commit: one that was ended while
 * the request arrived changes no passkey, nor does one whose check was taken back. Returns its id.
 * @throws unauthenticated, forbidden
 */
export async function requireSession(tx: Tx, caller: Caller): Promise<string> {
  const { session } = caller;
  const locked = session === null ? undefined : await lockSession(tx, caller, session.id);
  if (session === null || locked === undefined) throw endedSession();
  if (session.checkedAt !== null && locked.checked_at === null) throw unconfirmedProblem();
  return session.id;
}

/**
 * Requires that the caller confirmed with a passkey a few minutes ago at most. An account without a passkey
 * cannot, and adds its first one without.
 * @throws forbidden
 */
export function requireCheck(caller: Caller, passkeys: number, now: Date): void {
  if (passkeys === 0 || isChecked(caller, now)) return;
  throw unconfirmedProblem();
}

/**
 * Requires a passkey check from a caller with a session, for what outlasts the session: a new token or key, and
 * closing the account. An account without a passkey must add one first. The session is locked until the commit,
 * so that one that was ended meanwhile does nothing. A token needs no check and costs no statement.
 * @throws forbidden, unauthenticated
 */
export async function requireFreshCheck(tx: Tx, caller: Caller, now: Date): Promise<void> {
  if (caller.session === null) return;
  await requireSession(tx, caller);
  if (isChecked(caller, now)) return;
  if ((await countPasskeys(tx, caller)) > 0) throw unconfirmedProblem();
  throw problem(
    'forbidden',
    'Your account has no passkey, and this must be confirmed with one. Add a passkey first.',
  );
}

/** As `lockScope`, for a session, whose account holds the scope by one of its tokens. */
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

/** Returns whether a principal has a valid token with an admin scope. */
export async function isAdministrator(db: Db, id: string, now: Date): Promise<boolean> {
  return (await findHolder(db, keyOf(id), adminScopes, now)) !== undefined;
}

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
