// Tokens and scopes that an operator or an administrator grants and removes.
import { isForbiddenToAgents } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Tx } from '#database';
import { bucketOf, keyOf, newId } from '#lib/id';
import { mintToken } from '#lib/token-text';
import {
  findPrincipal,
  findWorkingToken,
  insertToken,
  setScopesAdded,
  setScopesRemoved,
  setUsed,
} from '../queries/index.ts';
import type { Grant } from '../queries/index.ts';

export interface AdminToken {
  readonly principalId: string;
  readonly scopes: readonly Scope[];
  readonly deployment: 'production' | 'staging';
  readonly now: Date;
}

/**
 * Issues a token for the operator, without an issuing token.
 * @throws Error with a sentence: when the account is closed, or is an agent that must not have a scope
 */
export async function issueAdminToken(
  tx: Tx,
  wish: AdminToken,
): Promise<{ id: string; token: string }> {
  const { principalId, scopes, now } = wish;
  const bucket = bucketOf(principalId);
  const principal = await findPrincipal(tx, bucket, principalId);
  if (principal === undefined || principal.status === 'closed')
    throw new Error('This account is closed.');
  if (principal.kind === 'agent' && scopes.some(isForbiddenToAgents)) {
    throw new Error(
      `${principal.username} is an agent: admin scopes are for humans only. Name its owner.`,
    );
  }
  const id = newId(bucket, now.getTime());
  const { token, hash, prefix } = mintToken({ bucket, deployment: wish.deployment });
  void setUsed(tx, { bucket, id: principalId });
  await insertToken(tx, {
    bucket,
    id,
    principalId,
    issuerTokenId: null,
    hash,
    name: 'granted by the operator',
    prefix,
    scopes,
    expiresAt: null,
    now,
  });
  return { id, token };
}

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
  wish: Pick<Grant, 'id' | 'scopes' | 'now'>,
): Promise<Granted | 'unknown' | 'agent' | 'no-token'> {
  const bucket = bucketOf(principalId);
  const principal = await findPrincipal(tx, bucket, principalId);
  if (principal === undefined || principal.status === 'closed') return 'unknown';
  if (principal.kind === 'agent') return 'agent';
  const grant = { ...wish, bucket, principalId };
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
  const place = keyOf(principalId);
  const principal = await findPrincipal(tx, place.bucket, place.id);
  return principal === undefined ? undefined : setScopesRemoved(tx, place, scopes);
}
