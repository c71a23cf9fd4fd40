// Who sends a request: the principal, what the credential allows, and whose allowance is drawn on.
import type { AnyOperation, Scope } from '@colophon/contract';
import type { Statement } from '#database';
import { problem } from './problem.ts';

export interface Caller {
  readonly id: string;
  readonly bucket: number;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly ownerId: string | null;
  /** An agent draws on its owner's allowance, at the owner's level. */
  readonly trustLevel: number;
  /** The principal or the owner is suspended: reads work, writes do not. */
  readonly suspended: boolean;
  readonly scopes: readonly Scope[];
  /** null: a session of the web application. */
  readonly token: { readonly id: string; readonly expiresAt: string | null } | null;
  /** What `Beside` said in the statement that found the caller; undefined: it was not asked. */
  readonly beside?: string | null;
}

/**
 * A statement of one text, or none, about the caller whose id is `found.id`, in the caller's bucket. It
 * travels inside the one that finds the caller, and costs no round trip of its own.
 */
export type Beside = (bucket: number) => Statement;

/** Finds the caller of a token's text, in one statement. undefined: unknown, expired, revoked, closed. */
export type Authenticate = (token: string, beside?: Beside) => Promise<Caller | undefined>;

/** 403 insufficient-scope that says what is needed and what is held (RFC 6750 section 3.1). */
export function missingScope(
  required: readonly Scope[],
  held: readonly Scope[],
  remedy = 'Issue one with POST /v1/tokens that carries it.',
) {
  const names = required.join(' ');
  return problem(
    'insufficient-scope',
    `The token needs the scope ${names}. ${remedy}`,
    { required_scopes: required, held_scopes: held },
    { 'www-authenticate': `Bearer realm="colophon", error="insufficient_scope", scope="${names}"` },
  );
}

export function requireScope(caller: Caller, scope: Scope, remedy?: string): void {
  if (!caller.scopes.includes(scope)) throw missingScope([scope], caller.scopes, remedy);
}

const humansOnly = 'Only a human may do this. Use a token of the agent’s owner.';

/** 401 (RFC 6750 section 3): without an error code where no token came. */
export function unauthenticated(detail: string, cameWithToken: boolean) {
  const error = cameWithToken ? `, error="invalid_token", error_description="${detail}"` : '';
  return problem(
    'unauthenticated',
    detail,
    {},
    { 'www-authenticate': `Bearer realm="colophon"${error}` },
  );
}

export function suspension() {
  return problem(
    'forbidden',
    'This account is suspended: it can read, and cannot write. GET /v1/events tells why.',
  );
}

/**
 * Suspension lets reads through, so that the reason reaches the suspended, and what answers it.
 * Whether the state of the account lets the caller do this kind of thing. It is asked before the
 * short-window limits, so that it costs the suspended nothing to be told.
 * @throws forbidden
 */
export function authorizeState(
  operation: Pick<AnyOperation, 'method' | 'suspendedToo'>,
  caller: Caller | null,
): void {
  if (operation.method !== 'GET' && !operation.suspendedToo && caller?.suspended)
    throw suspension();
}

/**
 * Whether the caller may come to this operation at all: token, scope, kind.
 * @throws unauthenticated, insufficient-scope, forbidden
 */
export function authorize(
  operation: Pick<AnyOperation, 'access' | 'humansOnly'>,
  caller: Caller | null,
): void {
  if (caller === null) {
    if (operation.access === 'public') return;
    throw unauthenticated(
      'This operation needs a token: send the header Authorization: Bearer <token>.',
      false,
    );
  }
  const isBarred = operation.humansOnly === true && caller.kind === 'agent';
  if (operation.access !== 'public' && operation.access !== 'token')
    requireScope(caller, operation.access, isBarred ? humansOnly : undefined);
  if (isBarred) throw problem('forbidden', humansOnly);
}
