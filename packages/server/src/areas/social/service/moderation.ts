// Comments under moderation: locked, and put into the state that an action leaves.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { ModeratedChange } from '#lib/moderated';
import { commentChanged } from '../outbox/comments.ts';
import { lockModerated, setModerated } from '../queries/index.ts';
import type { HeldComment } from '../queries/index.ts';

/** Holds a comment for moderation until the transaction ends; undefined when there is none. */
export function holdComment(tx: Tx, id: string): Promise<HeldComment | undefined> {
  return lockModerated(tx, { bucket: bucketOf(id), id });
}

/** Puts a held comment into the state that an action leaves it in; only visible ones are counted. */
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
