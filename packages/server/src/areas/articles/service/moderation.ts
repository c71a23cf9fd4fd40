// Articles under moderation: locked, and put into the state that an action leaves.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { articleChanged } from '../outbox.ts';
import { lockModerated, setModerated } from '../queries/index.ts';

/** Holds an article for moderation until the transaction ends; undefined when there is none. */
export function holdArticle(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held article into the state that an action leaves it in, and tells what derives from it. */
export function moderateArticle(
  tx: Tx,
  id: string,
  { state, actionId, now }: ModeratedChange,
): void {
  const place = { bucket: bucketOf(id), id };
  void setModerated(tx, place, state, actionId);
  articleChanged(tx, place, now);
}
