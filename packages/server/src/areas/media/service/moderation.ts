// Media under moderation: locking a record, and setting the state that an action requires.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { lockModerated, setModerated } from '../queries/index.ts';

/**
 * Locks a record for moderation until the transaction ends; returns undefined when there is no such record.
 */
export function holdMedia(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, keyOf(id));
}

/** Sets the state of a locked record; its bytes are kept. */
export function moderateMedia(tx: Tx, id: string, { state }: Pick<ModeratedChange, 'state'>): void {
  void setModerated(tx, keyOf(id), state);
}
