// The token that the operator issues for an account.
import { isForbiddenToAgents } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Tx } from '#database';
import { bucketOf, newId } from '#lib/id';
import { mintToken } from '@colophon/text/lib/token-text';
import { findPrincipal, insertToken, setUsed } from '../queries/index.ts';

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
  input: AdminToken,
): Promise<{ id: string; token: string }> {
  const { principalId, scopes, now } = input;
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
  const { token, hash, prefix } = mintToken({ bucket, deployment: input.deployment });
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
