// What identity allows: names, scopes and lifetimes of tokens. Pure.
import { createHash } from 'node:crypto';
import { isAdminScope, isForbiddenToAgents } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Caller, Fault } from '#http';
import { BUCKETS } from '#lib/id';
import { isReservedUsername } from '#lib/reserved-usernames';
import { canonicalUsername, usernameSkeleton } from '#lib/username';

/** The bucket of a name, and so of the person who has it: a hash of its skeleton. */
export function bucketOfName(skeleton: string): number {
  return createHash('sha256').update(skeleton).digest().readUInt16BE(0) % BUCKETS;
}

export type Name =
  | {
      readonly ok: true;
      readonly username: string;
      readonly skeleton: string;
      readonly bucket: number;
      readonly reserved: boolean;
    }
  | { readonly ok: false; readonly detail: string };

/** Canonical form, look-alike skeleton and bucket of a name as it was typed. */
export function nameOf(typed: string): Name {
  const canonical = canonicalUsername(typed);
  if (!canonical.ok) return canonical;
  const { username } = canonical;
  const skeleton = usernameSkeleton(username);
  return {
    ok: true,
    username,
    skeleton,
    bucket: bucketOfName(skeleton),
    reserved: isReservedUsername(username),
  };
}

export interface TokenWish {
  readonly scopes: readonly Scope[] | undefined;
  readonly expiresAt: string | null;
}

/** What a token gets: the scopes asked for, or all of the issuer's that are never given by implication. */
export function grantedScopes(
  caller: Pick<Caller, 'scopes'>,
  wish: TokenWish,
  kind: 'human' | 'agent',
): readonly Scope[] {
  if (wish.scopes !== undefined) return wish.scopes;
  return caller.scopes.filter(
    (scope) => !isAdminScope(scope) && !(kind === 'agent' && isForbiddenToAgents(scope)),
  );
}

/** Scopes that were asked for and that the issuer does not hold. */
export function scopesBeyond(
  caller: Pick<Caller, 'scopes'>,
  scopes: readonly Scope[],
): readonly Scope[] {
  return scopes.filter((scope) => !caller.scopes.includes(scope));
}

/** What is wrong with a token's wish apart from its scopes being held: all of it at once. */
export function tokenFaults(
  caller: Pick<Caller, 'token'>,
  wish: TokenWish,
  kind: 'human' | 'agent',
  now: Date,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [index, scope] of (wish.scopes ?? []).entries()) {
    if (kind === 'agent' && isForbiddenToAgents(scope)) {
      faults.push({
        pointer: `/scopes/${index}`,
        code: 'not-for-agents',
        detail: `${scope} is never given to an agent: leave it out`,
      });
    }
  }
  const fault = expiryFault(caller.token?.expiresAt ?? null, wish.expiresAt, now);
  return fault === undefined ? faults : [...faults, { pointer: '/expires_at', ...fault }];
}

function expiryFault(
  issuer: string | null,
  asked: string | null,
  now: Date,
): Omit<Fault, 'pointer'> | undefined {
  if (asked !== null && Date.parse(asked) <= now.getTime()) {
    return { code: 'past', detail: 'lies in the past: send a time to come' };
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
      detail: `must not lie after the issuing token's: send a time no later than ${issuer}`,
    };
  }
  return undefined;
}
