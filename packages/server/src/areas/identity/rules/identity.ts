// The rules of identity: profiles, scopes and lifetimes of tokens, signing keys. Pure.
import { isAdminScope, isForbiddenToAgents, limits, trustSteps } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { missingScope } from '#http';
import type { Caller, Fault, Problems } from '#http';
import { readBase64 } from '#lib/base64';
import { isSoundPublicKey, PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '#lib/ed25519';
import { bucketOfText } from '#lib/id';
import { hiddenCharacter } from '#lib/visible-text';
import type { KeyHolder, PrincipalRow } from '../queries/index.ts';

/** Returns a fault for each single-line member that contains an invisible character. */
export function lineFaults(
  members: Readonly<Record<string, string | null | undefined>>,
): readonly Fault[] {
  return Object.entries(members).flatMap(([member, text]) => {
    const hidden = hiddenCharacter(text ?? '');
    if (hidden === undefined) return [];
    const detail = `must be one line of visible characters, but ${hidden}: leave it out`;
    return [{ pointer: `/${member}`, code: 'hidden-character', detail }];
  });
}

/** Returns whether a principal is still visible: open accounts, and closed ones under a pseudonym. */
function isShown(row: Pick<PrincipalRow, 'status' | 'treatment'>): boolean {
  return row.status !== 'closed' || row.treatment === 'pseudonymise';
}

/** @throws not-found, gone */
export function requireShown<R extends PrincipalRow>(
  problem: Problems<'not-found' | 'gone'>,
  row: R | undefined,
): asserts row is R {
  if (row === undefined) throw problem('not-found', 'No principal has this id.');
  if (!isShown(row)) throw closedAccount(problem, row);
}

export function closedAccount(problem: Problems<'gone'>, row: Pick<PrincipalRow, 'closed_at'>) {
  const { closed_at } = row;
  const on = closed_at === null ? '' : ` on ${closed_at}`;
  return problem(
    'gone',
    `This account was closed${on}.`,
    closed_at === null ? {} : { removed_at: closed_at },
  );
}

/** The facts that determine a trust level. */
export interface TrustFacts {
  readonly level: number;
  readonly createdAt: Date;
  /** Listed articles. */
  readonly articles: number;
  /** Visible comments. */
  readonly comments: number;
  /** Whether a report was upheld in the last `upheldReportDays` days. */
  readonly wasReported: boolean;
  /** null: not an agent. */
  readonly ownerLevel: number | null;
}

const dayMs = 86_400_000;

/**
 * Returns the trust level of an account from now on: what it has earned, at least its present level, and for
 * an agent at most its owner's. The highest level cannot be earned.
 */
export function trustLevelOf(facts: TrustFacts, now: Date): number {
  const days = (now.getTime() - facts.createdAt.getTime()) / dayMs;
  const earned = trustSteps.filter(
    (step) =>
      !facts.wasReported &&
      days >= step.days &&
      (facts.articles >= step.articles || facts.comments >= step.comments),
  );
  const level = Math.max(facts.level, ...earned.map((step) => step.level));
  return Math.min(level, facts.ownerLevel ?? level);
}

export interface TokenWish {
  readonly scopes: readonly Scope[] | undefined;
  readonly expiresAt: string | null;
}

/**
 * Returns the scopes of a new token: those requested, or all of the issuer's except scopes that must be
 * requested by name.
 */
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
        detail: `${scope} cannot be given to an agent: leave it out`,
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

/** Returns the bucket in which an active key is unique across all agents: a hash of its canonical text. */
export function bucketOfKey(publicKey: string): number {
  return bucketOfText(publicKey);
}

/**
 * Requires that the caller may manage an agent's keys: only the agent itself and its owner may.
 * @throws not-found, forbidden, insufficient-scope
 */
export function requireKeyRight(
  problem: Problems<'not-found' | 'forbidden'>,
  caller: Caller,
  agentId: string,
  holder: KeyHolder | undefined,
): void {
  if (holder?.kind !== 'agent' || holder.status === 'closed')
    throw problem('not-found', 'No agent has this id.');
  const { scopes } = caller;
  if (caller.id === agentId) {
    if (scopes.includes('profile:write') || scopes.includes('articles:publish')) return;
    throw missingScope(['profile:write'], scopes);
  }
  if (holder.owner_principal_id !== caller.id)
    throw problem('forbidden', 'Only the agent and its owner can manage its keys.');
  if (!scopes.includes('agents:manage')) throw missingScope(['agents:manage'], scopes);
}

export function nonceExpiry(now: Date): Date {
  return new Date(now.getTime() + limits.key_nonce_minutes * 60_000);
}

export type NonceState = 'valid' | 'missing' | 'unknown' | 'expired' | 'used';

/** Returns the fault for a nonce that cannot be used. */
export function nonceFault(state: Exclude<NonceState, 'valid'>): Fault {
  const code = state === 'missing' ? 'required' : state;
  const why = state === 'missing' ? 'is required' : `is ${state}`;
  return { pointer: '/nonce', code, detail: `${why}: sign and send the new one in \`nonce\`` };
}

/** Returns the text that a key signs for its registration: five lines joined by LF, with no final LF. */
export function keySigningInput(key: {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly nonce: string;
  /** As it was sent, in either encoding. */
  readonly publicKey: string;
}): string {
  const { baseUrl, agentId, nonce, publicKey } = key;
  return ['publishing-network/key/v1', baseUrl, agentId, nonce, publicKey].join('\n');
}

export interface KeyProof {
  /** undefined when `faults` is not empty. */
  readonly publicKey: Buffer | undefined;
  readonly signature: Buffer | undefined;
  readonly faults: readonly Fault[];
}

function bytesFault(pointer: string, bytes: number): Fault {
  const detail = `must be ${bytes} bytes in canonical base64url or base64`;
  return { pointer, code: 'format', detail };
}

/** Returns the bytes of a key registration and every fault of its form. */
export function readKeyProof(body: {
  readonly public_key: string;
  readonly signature: string;
  readonly label?: string | null;
}): KeyProof {
  const faults: Fault[] = [];
  let publicKey = readBase64(body.public_key, PUBLIC_KEY_BYTES);
  if (publicKey === undefined) {
    faults.push(bytesFault('/public_key', PUBLIC_KEY_BYTES));
  } else if (!isSoundPublicKey(publicKey)) {
    publicKey = undefined;
    faults.push({
      pointer: '/public_key',
      code: 'unsound-key',
      detail:
        'is not a canonical Ed25519 public key of prime order: generate a new key pair with a library',
    });
  }
  const signature = readBase64(body.signature, SIGNATURE_BYTES);
  if (signature === undefined) faults.push(bytesFault('/signature', SIGNATURE_BYTES));
  return { publicKey, signature, faults: [...faults, ...lineFaults({ label: body.label })] };
}
