// What needs an open session or a fresh passkey check, and how many passkeys an account may have.
import { sessionLimits } from '@colophon/contract';
import type { Tx } from '#database';
import { problem, unauthenticatedProblem } from '#http';
import type { Caller, Problem } from '#http';
import { countPasskeys, lockSession } from '../queries/index.ts';

type Checked = Pick<Caller, 'session'>;

function isCheckedFor({ session }: Checked, now: Date, minutes: number): boolean {
  if (session === null || session.checkedAt === null) return false;
  return now.getTime() - Date.parse(session.checkedAt) < minutes * 60_000;
}

/** Whether the caller confirmed with a passkey, a few minutes ago at most, to be present. */
export function isChecked(caller: Checked, now: Date): boolean {
  return isCheckedFor(caller, now, sessionLimits.check_minutes);
}

/** Whether the caller confirmed with a passkey recently enough to act with admin scopes. */
export function isCheckedForDesk(caller: Checked, now: Date): boolean {
  return isCheckedFor(caller, now, sessionLimits.desk_check_hours * 60);
}

export function endedSession(): Problem {
  return unauthenticatedProblem('Your session has ended. Sign in again.', true);
}

/**
 * Requires that the session of the request goes on, and keeps it until the commit: one that was ended while
 * the request arrived changes no passkey. Returns its id.
 * @throws unauthenticated
 */
export async function requireSession(tx: Tx, caller: Caller): Promise<string> {
  const { session } = caller;
  if (session === null || (await lockSession(tx, caller, session.id)) === 0) throw endedSession();
  return session.id;
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

/** @throws conflict */
export function requirePasskeyRoom(passkeys: number): void {
  if (passkeys < sessionLimits.passkeys_max) return;
  throw problem(
    'conflict',
    `An account has at most ${sessionLimits.passkeys_max} passkeys. Remove one that you no longer use.`,
  );
}

export function unknownOwnPasskey() {
  return problem('not-found', 'You have no passkey with this id.');
}
