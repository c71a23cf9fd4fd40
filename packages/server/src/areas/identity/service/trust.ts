// Trust levels that an operator or an administrator sets.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import { findAllowance, findPrincipal, lockLevels, setTrustLevel } from '../queries/index.ts';

export type TrustChanged =
  | { readonly outcome: 'done'; readonly before: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'above-owner'; readonly username: string; readonly ownerLevel: number };

/**
 * Sets a trust level and lowers agents above their owner to it. Roll the transaction back for every outcome
 * other than `done`.
 */
export async function changeTrust(
  tx: Tx,
  principalId: string,
  level: number,
): Promise<TrustChanged> {
  const key = keyOf(principalId);
  void lockLevels(tx, key);
  const row = await findAllowance(tx, key, new Map());
  const principal = await findPrincipal(tx, key.bucket, key.id);
  if (principal === undefined || row === undefined) return { outcome: 'unknown' };
  if ((await setTrustLevel(tx, key, level)) === 0) return { outcome: 'closed' };
  if (principal.kind === 'agent' && level > row.trust_level) {
    const { username } = principal;
    return { outcome: 'above-owner', username, ownerLevel: row.trust_level };
  }
  return { outcome: 'done', before: principal.trust_level };
}

/**
 * Sets a trust level for the operator and returns the level before.
 * @throws Error with a sentence: when the account is closed, or an agent would be above its owner
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
