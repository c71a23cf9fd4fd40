// Articles under moderation: locking one, and setting the state that an action requires.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { HeldTarget, ModeratedChange } from '#lib/moderated';
import { articleChanged } from '../outbox.ts';
import { lockModerated, setModerated } from '../queries/index.ts';

/**
 * Locks an article for moderation until the transaction ends; returns undefined when there is no such
 * article.
 */
export function holdArticle(tx: Tx, id: string): Promise<HeldTarget | undefined> {
  return lockModerated(tx, keyOf(id));
}

/** Sets the state of a locked article and appends the message for its derived rows. */
export function moderateArticle(
  tx: Tx,
  id: string,
  { state, actionId, now }: ModeratedChange,
): void {
  const place = keyOf(id);
  void setModerated(tx, place, state, actionId);
  articleChanged(tx, place, now);
}
