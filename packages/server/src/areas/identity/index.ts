// The door of identity: people, tokens, and what neighbours may ask about them.
import { isForbiddenToAgents } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { bucketOf, newId } from '#lib/id';
import { mintToken } from '#lib/token-text';
import { issueToken } from './operations/issue-token.ts';
import { listTokens } from './operations/list-tokens.ts';
import { readMe } from './operations/read-me.ts';
import { registerHuman } from './operations/register-human.ts';
import { revokeToken } from './operations/revoke-token.ts';
import { findPrincipal, findUsername, insertToken } from './queries/index.ts';
import { nameOf } from './rules.ts';

export const operations = [registerHuman, issueToken, listTokens, revokeToken, readMe];

/** Id of the principal with exactly this name, in any spelling of its case. */
export async function principalNamed(db: Db, typed: string): Promise<string | undefined> {
  const name = nameOf(typed);
  if (!name.ok) return undefined;
  const row = await findUsername(db, name.bucket, name.skeleton);
  return row?.username === name.username ? row.principal_id : undefined;
}

export interface AdminToken {
  readonly principalId: string;
  readonly scopes: readonly Scope[];
  readonly deployment: 'production' | 'staging';
  readonly now: Date;
}

/**
 * A token on the operator's word, without an issuing one.
 * @throws Error with a sentence, when the account is closed or an agent that must not hold a scope
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
