// Comments under moderation: locking one, and setting the state that an action requires.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import type { ModeratedChange } from '#lib/moderated';
import { commentChanged } from '../outbox/comments.ts';
import { lockModerated, setModerated } from '../queries/index.ts';
import type { HeldComment } from '../queries/index.ts';

/**
 * Locks a comment for moderation until the transaction ends; returns undefined when there is no such comment.
 */
export function holdComment(tx: Tx, id: string): Promise<HeldComment | undefined> {
  return lockModerated(tx, keyOf(id));
}

/** Sets the state of a locked comment; only visible comments are counted. */
export function moderateComment(
  tx: Tx,
  { id, before }: { readonly id: string; readonly before: HeldComment },
  { state, actionId, now }: ModeratedChange,
): void {
  const bucket = bucketOf(id);
  void setModerated(tx, { bucket, id }, state, actionId);
  if (state.status !== before.status) commentChanged(tx, { ...before, id }, now);
  const comments = Number(state.status === 'visible') - Number(before.status === 'visible');
  if (comments === 0) return;
  insertCountDelta(tx, { bucket, id: before.article_id }, { comments }, now);
}
