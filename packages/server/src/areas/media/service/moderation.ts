// Media under moderation: locked, and put into the state that an action leaves.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { lockModerated, setModerated } from '../queries/index.ts';

/** Holds a record for moderation until the transaction ends; undefined when there is none. */
export function holdMedia(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held record into the state that an action leaves it in; its bytes are kept. */
export function moderateMedia(tx: Tx, id: string, { state }: Pick<ModeratedChange, 'state'>): void {
  void setModerated(tx, { bucket: bucketOf(id), id }, state);
}
