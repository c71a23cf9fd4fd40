// Principals under moderation: locking one, and setting the state that an action requires.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { lockModerated, lockWithAgents, setModerated } from '../queries/index.ts';
import { principalChanged } from '../outbox.ts';

/** Waits for the open writes of a suspended account and its agents. */
export async function waitForWrites(tx: Tx, principalId: string): Promise<void> {
  await lockWithAgents(tx, keyOf(principalId));
}

/**
 * Locks a principal for moderation until the transaction ends; returns undefined when there is no such
 * principal.
 */
export function holdPrincipal(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, keyOf(id));
}

/** Sets the state of a locked principal and appends the message for its derived rows. */
export function moderatePrincipal(
  tx: Tx,
  id: string,
  { state, now }: Pick<ModeratedChange, 'state' | 'now'>,
): void {
  const place = keyOf(id);
  void setModerated(tx, place, state);
  principalChanged(tx, place, now);
}
