// The door of identity: people, tokens, and what neighbours may ask about them.
import { isForbiddenToAgents, limits } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import type { Caller } from '#http';
import { bucketOf, newId } from '#lib/id';
import { mintToken } from '#lib/token-text';
import { closePrincipal } from './operations/close-principal.ts';
import { createAgent } from './operations/create-agent.ts';
import { createKeyNonce } from './operations/create-key-nonce.ts';
import { issueToken } from './operations/issue-token.ts';
import { listAgents } from './operations/list-agents.ts';
import { listFollowers } from './operations/list-followers.ts';
import { listFollowing } from './operations/list-following.ts';
import { listKeys } from './operations/list-keys.ts';
import { listPrincipalAgents } from './operations/list-principal-agents.ts';
import { listTokens } from './operations/list-tokens.ts';
import { readMe } from './operations/read-me.ts';
import { allowancesOf, readQuota } from './operations/read-quota.ts';
import { readPrincipal } from './operations/read-principal.ts';
import { readUsername } from './operations/read-username.ts';
import { registerHuman } from './operations/register-human.ts';
import { registerKey } from './operations/register-key.ts';
import { revokeKey } from './operations/revoke-key.ts';
import { revokeToken } from './operations/revoke-token.ts';
import { updatePrincipal } from './operations/update-principal.ts';
import {
  countClosings,
  findAllowance,
  findKey,
  findPrincipal,
  findProfile,
  findUsername,
  insertToken,
  lockKeyForSigning,
  lockWithAgents,
  setSuspended,
  setTrustLevel,
  setUsed,
} from './queries/index.ts';
import { nameOf } from './rules.ts';
import { profileView } from './views.ts';

export const operations = [
  registerHuman,
  createAgent,
  listAgents,
  issueToken,
  listTokens,
  revokeToken,
  createKeyNonce,
  registerKey,
  listKeys,
  revokeKey,
  readMe,
  updatePrincipal,
  readPrincipal,
  readUsername,
  listFollowers,
  listFollowing,
  listPrincipalAgents,
  readQuota,
  closePrincipal,
];

export { allowancesOf };

/** The caller's own record with its counts; undefined when the account is not there any more. */
export async function ownRecord(db: Db, caller: Pick<Caller, 'bucket' | 'id'>) {
  const row = await findProfile(db, caller, limits.counts_max);
  return row === undefined ? undefined : profileView(row);
}

/**
 * Id of the principal with exactly this name, in any spelling of its case. The former name of a closed
 * account leads nowhere, least of all to the pseudonym of its works.
 */
export async function principalNamed(db: Db, typed: string): Promise<string | undefined> {
  const name = nameOf(typed);
  if (!name.ok) return undefined;
  const row = await findUsername(db, name.bucket, name.skeleton);
  const isCurrent = row?.username === name.username && row.reserved_until === null;
  return isCurrent ? row.principal_id : undefined;
}

/** A signing key by its id, whoever has it, revoked or not. */
export function signingKey(db: Db, id: string) {
  return findKey(db, bucketOf(id), id);
}

/** The same, held until the commit, so that a revocation comes before this transaction or after it. */
export function heldSigningKey(tx: Tx, id: string) {
  return lockKeyForSigning(tx, bucketOf(id), id);
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

/**
 * Sets a trust level on the operator's word; agents that would be above their owner come down to it.
 * Answers the level before.
 * @throws Error with a sentence, when the account is closed or an agent would be above its owner
 */
export async function setTrust(tx: Tx, principalId: string, level: number): Promise<number> {
  const place = { bucket: bucketOf(principalId), id: principalId };
  const row = await findAllowance(tx, place, new Map());
  const principal = await findPrincipal(tx, place.bucket, place.id);
  if (principal === undefined || row === undefined || (await setTrustLevel(tx, place, level)) === 0)
    throw new Error('This account is closed.');
  if (principal.kind === 'agent' && level > row.trust_level) {
    throw new Error(
      `${principal.username} is an agent, and its owner has level ${row.trust_level}: raise the owner first.`,
    );
  }
  return principal.trust_level;
}

/**
 * Suspends an account on the operator's word, or lifts the suspension. Agents follow their owner's state
 * without one of their own.
 * @throws Error with a sentence, when the account is closed, or is already as it should become
 */
export async function setSuspension(
  tx: Tx,
  principalId: string,
  suspended: boolean,
): Promise<void> {
  const place = { bucket: bucketOf(principalId), id: principalId };
  if ((await setSuspended(tx, place, suspended)) > 0) return;
  const principal = await findPrincipal(tx, place.bucket, place.id);
  if (principal === undefined || principal.status === 'closed')
    throw new Error('This account is closed.');
  const { username, status } = principal;
  if (suspended && status === 'suspended') throw new Error(`${username} is suspended already.`);
  if (!suspended && status === 'active') throw new Error(`${username} is not suspended.`);
  throw new Error(`The owner of ${username} closed the account: it stays suspended.`);
}

/** Ends when nothing is being written any more that a suspended account and its agents had begun before. */
export async function waitForWrites(tx: Tx, principalId: string): Promise<void> {
  await lockWithAgents(tx, { bucket: bucketOf(principalId), id: principalId });
}

export { countClosings };
export { reactions, recurring } from './reactions.ts';
