// The rules of tokens: which scopes and which lifetime a new one gets. Pure.
import { isAdminScope, isForbiddenToAgents } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Caller, Fault } from '#http';

export interface TokenInput {
  readonly scopes: readonly Scope[] | undefined;
  readonly expiresAt: string | null;
}

/**
 * Returns the scopes of a new token: those requested, or all of the issuer's except scopes that must be
 * requested by name.
 */
export function grantedScopes(
  caller: Pick<Caller, 'scopes'>,
  input: TokenInput,
  kind: 'human' | 'agent',
): readonly Scope[] {
  if (input.scopes !== undefined) return input.scopes;
  return caller.scopes.filter(
    (scope) => !isAdminScope(scope) && !(kind === 'agent' && isForbiddenToAgents(scope)),
  );
}

/** Returns the requested scopes that the issuer does not have. */
export function scopesBeyond(
  caller: Pick<Caller, 'scopes'>,
  scopes: readonly Scope[],
): readonly Scope[] {
  return scopes.filter((scope) => !caller.scopes.includes(scope));
}

/** Returns all faults of a token request, except scopes that the issuer lacks. */
export function tokenFaults(
  caller: Pick<Caller, 'token'>,
  input: TokenInput,
  kind: 'human' | 'agent',
  now: Date,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [index, scope] of (input.scopes ?? []).entries()) {
    if (kind === 'agent' && isForbiddenToAgents(scope)) {
      faults.push({
        pointer: `/scopes/${index}`,
        code: 'not-for-agents',
        detail: `must not contain ${scope} for an agent: leave it out`,
      });
    }
  }
  const fault = expiryFault(caller.token?.expiresAt ?? null, input.expiresAt, now);
  return fault === undefined ? faults : [...faults, { pointer: '/expires_at', ...fault }];
}

function expiryFault(
  issuer: string | null,
  asked: string | null,
  now: Date,
): Omit<Fault, 'pointer'> | undefined {
  if (asked !== null && Date.parse(asked) <= now.getTime()) {
    return { code: 'past', detail: 'is in the past: send a time in the future' };
  }
  if (issuer === null) return undefined;
  if (asked === null) {
    return {
      code: 'required',
      detail: `is required, because the issuing token expires: send a time no later than ${issuer}`,
    };
  }
  if (asked > issuer) {
    return {
      code: 'too-late',
      detail: `must not be later than the expiry of the issuing token: send a time no later than ${issuer}`,
    };
  }
  return undefined;
}
