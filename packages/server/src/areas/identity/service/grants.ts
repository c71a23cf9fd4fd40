// Scopes that an administrator adds to tokens and removes from them.
import type { Scope } from '@colophon/contract';
import type { Tx } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import {
  findPrincipal,
  findWorkingToken,
  setScopesAdded,
  setScopesRemoved,
} from '../queries/index.ts';
import type { Grant } from '../queries/index.ts';

export interface Granted {
  /** All scopes of the token after the change. */
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly changed: boolean;
}

/**
 * Adds scopes to a valid token of a person. Returns `unknown` when there is no such open account, `agent`
 * when the account is an agent, which gets none of these scopes, `no-token` when the account has no such
 * token or it is no longer valid.
 */
export async function addScopes(
  tx: Tx,
  principalId: string,
  input: Pick<Grant, 'id' | 'scopes' | 'now'>,
): Promise<Granted | 'unknown' | 'agent' | 'no-token'> {
  const bucket = bucketOf(principalId);
  const principal = await findPrincipal(tx, bucket, principalId);
  if (principal === undefined || principal.status === 'closed') return 'unknown';
  if (principal.kind === 'agent') return 'agent';
  const grant = { ...input, bucket, principalId };
  const changed = await setScopesAdded(tx, grant);
  const token = changed ?? (await findWorkingToken(tx, grant));
  if (token === undefined) return 'no-token';
  const { scopes, expires_at } = token;
  return { scopes, expires_at, changed: changed !== undefined };
}

/** Removes scopes from every token of a principal; returns undefined when there is no such principal. */
export async function removeScopes(
  tx: Tx,
  principalId: string,
  scopes: readonly Scope[],
): Promise<number | undefined> {
  const key = keyOf(principalId);
  const principal = await findPrincipal(tx, key.bucket, key.id);
  return principal === undefined ? undefined : setScopesRemoved(tx, key, scopes);
}
