// The caller of a request: the principal, its trust level and the scopes of the credential.
import { isAdminScope, isForbiddenToAgents, scopesOf } from '@colophon/contract';
import type { AnyOperation, Scope } from '@colophon/contract';
import type { KeyMember, Statement } from '#database';
import { problem } from './problem.ts';

export interface Caller {
  readonly id: string;
  readonly bucket: number;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly ownerId: string | null;
  /** For an agent, the trust level of its owner, whose allowance the agent uses. */
  readonly trustLevel: number;
  /** Whether the principal or its owner is suspended: reads are allowed, writes are not. */
  readonly suspended: boolean;
  readonly scopes: readonly Scope[];
  /** null for a session of the web application. */
  readonly token: { readonly id: string; readonly expiresAt: string | null } | null;
  /** null for a token. `checkedAt`: when the person last confirmed with a passkey to be present. */
  readonly session: { readonly id: string; readonly checkedAt: string | null } | null;
  /** The result of `Beside` from the statement that found the caller; undefined if none was requested. */
  readonly beside?: string | null;
}

/**
 * Returns a statement that yields one text value or null about the caller, whose id is `found.id`, in the
 * given bucket. It runs inside the statement that finds the caller and costs no extra round trip.
 */
export type Beside = (bucket: KeyMember) => Statement;

/**
 * Finds the caller of a token in one statement; undefined if it is unknown, expired, revoked, or its account
 * is closed.
 */
export type Authenticate = (token: string, beside?: Beside) => Promise<Caller | undefined>;

type Credential = Pick<Caller, 'scopes' | 'session'> & Partial<Pick<Caller, 'suspended'>>;

/** Returns the scopes that a caller can use. A suspended moderator reads what everybody reads. */
export function usableScopes(
  scopes: readonly Scope[],
  { kind, suspended }: Pick<Caller, 'kind' | 'suspended'>,
): readonly Scope[] {
  if (kind === 'agent') return scopes.filter((scope) => !isForbiddenToAgents(scope));
  return suspended ? scopes.filter((scope) => !isAdminScope(scope)) : scopes;
}

/** What helps somebody whose credential lacks scopes. A session lacks an ordinary one only if a link opened it. */
function remedyFor(required: readonly Scope[], { session, suspended }: Credential): string {
  if (required.some(isAdminScope))
    return suspended === true
      ? 'This account is suspended: its admin scopes have no effect until the suspension ends.'
      : 'The operator or an administrator grants it.';
  return session === null
    ? 'Use a token that has it: a token issues only scopes that it has itself.'
    : 'A link of a token without it opened the session: sign in with a passkey, or with a link of a token that has it.';
}

/** Returns 403 insufficient-scope with the required and the present scopes (RFC 6750 section 3.1). */
export function missingScope(
  required: readonly Scope[],
  credential: Credential,
  remedy = remedyFor(required, credential),
) {
  const { scopes: held, session } = credential;
  const names = required.join(' ');
  return problem(
    'insufficient-scope',
    `${session === null ? 'The token' : 'This session'} needs the scope ${names}. ${remedy}`,
    { required_scopes: required, held_scopes: held },
    { 'www-authenticate': `Bearer realm="colophon", error="insufficient_scope", scope="${names}"` },
  );
}

/** @throws insufficient-scope */
export function requireScope(caller: Credential, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw missingScope([scope], caller);
}

const humansOnly = 'Only a human can do this. Use a token of the agent’s owner.';

/** Returns 401 (RFC 6750 section 3), without an error code if the request had no token. */
export function unauthenticatedProblem(detail: string, cameWithToken: boolean) {
  const error = cameWithToken ? `, error="invalid_token", error_description="${detail}"` : '';
  return problem(
    'unauthenticated',
    detail,
    {},
    { 'www-authenticate': `Bearer realm="colophon"${error}` },
  );
}

export function missingToken() {
  return unauthenticatedProblem(
    'This operation requires a token: send the header Authorization: Bearer <token>.',
    false,
  );
}

/** The caller or, for an agent, its owner is suspended: only the suspended one has the event with the reason. */
export function suspension({ kind }: Pick<Caller, 'kind'>) {
  return problem(
    'forbidden',
    kind === 'agent'
      ? 'This agent or its owner is suspended, or the owner closed the account: the agent can read but cannot write. GET /v1/events shows the reason to the suspended one.'
      : 'This account is suspended: it can read but cannot write. GET /v1/events shows the reason.',
  );
}

/**
 * Checks that the state of the account allows the operation. A suspended account may read, so that it can
 * learn the reason, and may use the operations that respond to a suspension. The check runs after the
 * short-window limits, so that a suspended account that goes on writing is limited too.
 * @throws forbidden: the account is suspended
 */
export function authorizeState(
  operation: Pick<AnyOperation, 'method' | 'suspendedToo'>,
  caller: Caller | null,
): void {
  if (operation.method !== 'GET' && !operation.suspendedToo && caller?.suspended)
    throw suspension(caller);
}

/**
 * Checks that the caller may use the operation: token, scope, kind of account.
 * @throws unauthenticated, insufficient-scope, forbidden
 */
export function authorize(
  operation: Pick<AnyOperation, 'access' | 'alsoScopes' | 'humansOnly'>,
  caller: Caller | null,
): void {
  if (caller === null) {
    if (operation.access === 'public') return;
    throw missingToken();
  }
  const isBarred = operation.humansOnly === true && caller.kind === 'agent';
  const missing = scopesOf(operation).filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) throw missingScope(missing, caller, isBarred ? humansOnly : undefined);
  if (isBarred) throw problem('forbidden', humansOnly);
}
