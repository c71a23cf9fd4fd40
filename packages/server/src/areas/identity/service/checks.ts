// What needs a fresh passkey check, and how many passkeys an account may have.
import { sessionLimits } from '@colophon/contract';
import { problem } from '#http';
import type { Caller } from '#http';
import { isChecked } from '../rules/sessions.ts';

/**
 * Requires that the caller confirmed with a passkey a few minutes ago at most. An account without a passkey
 * cannot, and adds its first one without.
 * @throws forbidden
 */
export function requireCheck(caller: Caller, passkeys: number, now: Date): void {
  if (passkeys === 0 || isChecked(caller, now)) return;
  throw problem(
    'forbidden',
    'Confirm with your passkey first, and send the request again within 10 minutes.',
    { passkey_check: true },
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
