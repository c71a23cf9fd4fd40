// The door of identity: people, tokens, and what neighbours may ask about them.
import { isAdminScope, isForbiddenToAgents, limits, scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import type { Db, Tx } from '#database';
import { missingScope, problem } from '#http';
import type { Caller } from '#http';
import { bucketOf, newId } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
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
  existsFindable,
  findAllowance,
  findHolder,
  findKey,
  findPrincipal,
  findProfile,
  findUsername,
  findWorkingToken,
  listFindable,
  insertToken,
  lockKeyForSigning,
  lockModerated,
  lockScopes,
  lockWithAgents,
  setModerated,
  setScopesAdded,
  setScopesRemoved,
  setTrustLevel,
  setUsed,
} from './queries/index.ts';
import type { Grant } from './queries/index.ts';
import { nameOf } from './rules.ts';
import { principalChanged } from './outbox.ts';
import { principalView, profileView } from './views.ts';

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

/**
 * The records of these principals as they are now, in the order of the ids. Left out are closed accounts and
 * their agents, and who is listed nowhere: whatever a derived table still says, nobody finds them.
 */
export async function findablePrincipals(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await listFindable(db, ids);
  const byId = new Map(rows.map((row) => [row.id, principalView(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
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

export type TrustChanged =
  | { readonly outcome: 'done'; readonly before: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'above-owner'; readonly username: string; readonly ownerLevel: number };

/**
 * Sets a trust level; agents that would be above their owner come down to it. Take the transaction back
 * for every other outcome than `done`.
 */
export async function changeTrust(
  tx: Tx,
  principalId: string,
  level: number,
): Promise<TrustChanged> {
  const place = { bucket: bucketOf(principalId), id: principalId };
  const row = await findAllowance(tx, place, new Map());
  const principal = await findPrincipal(tx, place.bucket, place.id);
  if (principal === undefined || row === undefined) return { outcome: 'unknown' };
  if ((await setTrustLevel(tx, place, level)) === 0) return { outcome: 'closed' };
  if (principal.kind === 'agent' && level > row.trust_level) {
    const { username } = principal;
    return { outcome: 'above-owner', username, ownerLevel: row.trust_level };
  }
  return { outcome: 'done', before: principal.trust_level };
}

/**
 * Sets a trust level on the operator's word. Answers the level before.
 * @throws Error with a sentence, when the account is closed or an agent would be above its owner
 */
export async function setTrust(tx: Tx, principalId: string, level: number): Promise<number> {
  const change = await changeTrust(tx, principalId, level);
  if (change.outcome === 'done') return change.before;
  if (change.outcome !== 'above-owner') throw new Error('This account is closed.');
  const { username, ownerLevel } = change;
  throw new Error(
    `${username} is an agent, and its owner has level ${ownerLevel}: raise the owner first.`,
  );
}

export interface Granted {
  /** All that the token carries now. */
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly changed: boolean;
}

/**
 * Adds scopes to a working token of a person.
 * `unknown`: there is no such open account. `agent`: none of them is for agents. `no-token`: it has no
 * such token, or it does not work any more.
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

/** Takes scopes from every token of a principal; undefined: there is no such principal. */
export async function removeScopes(
  tx: Tx,
  principalId: string,
  scopes: readonly Scope[],
): Promise<number | undefined> {
  const place = { bucket: bucketOf(principalId), id: principalId };
  const principal = await findPrincipal(tx, place.bucket, place.id);
  return principal === undefined ? undefined : setScopesRemoved(tx, place, scopes);
}

/** Ends when nothing is being written any more that a suspended account and its agents had begun before. */
export async function waitForWrites(tx: Tx, principalId: string): Promise<void> {
  await lockWithAgents(tx, { bucket: bucketOf(principalId), id: principalId });
}

/** Whether somebody who is read by name is also found by those who do not know the name. */
export function isFindable(db: Db, id: string): Promise<boolean> {
  return existsFindable(db, { bucket: bucketOf(id), id });
}

/** Holds a principal for moderation until the transaction ends; undefined when there is none. */
export function holdPrincipal(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held principal into the state that an action leaves it in, and tells what derives from it. */
export function moderatePrincipal(
  tx: Tx,
  id: string,
  { state, now }: Pick<ModeratedChange, 'state' | 'now'>,
): void {
  const place = { bucket: bucketOf(id), id };
  void setModerated(tx, place, state);
  principalChanged(tx, place, now);
}

/**
 * Holds what the caller acts by until the transaction ends: a token that is revoked, or loses the scope,
 * at the same moment comes before this transaction or after it.
 * @throws unauthenticated, insufficient-scope
 */
export async function holdScope(tx: Tx, caller: Caller, scope: Scope, now: Date): Promise<void> {
  if (caller.token === null) return;
  const held = await lockScopes(tx, { bucket: caller.bucket, id: caller.token.id }, now);
  if (held === undefined)
    throw problem('unauthenticated', 'This token was revoked meanwhile. Use another.');
  if (!held.includes(scope)) throw missingScope([scope], held);
}

const adminScopes = allScopes.filter(isAdminScope);

/** Whether somebody holds a token with an admin scope that works. */
export async function isAdministrator(db: Db, id: string, now: Date): Promise<boolean> {
  return (await findHolder(db, { bucket: bucketOf(id), id }, adminScopes, now)) !== undefined;
}

export { countClosings };
export { reactions, recurring } from './reactions.ts';
