// Principals under moderation: locked, and put into the state that an action leaves.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { lockModerated, lockWithAgents, setModerated } from '../queries/index.ts';
import { principalChanged } from '../outbox.ts';

/** Ends when nothing is being written any more that a suspended account and its agents had begun before. */
export async function waitForWrites(tx: Tx, principalId: string): Promise<void> {
  await lockWithAgents(tx, { bucket: bucketOf(principalId), id: principalId });
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
