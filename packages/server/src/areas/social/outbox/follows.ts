// The message of a follow for the pipeline, when it is created and when it ends.
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { appendMessage } from '#outbox';
import type { Pair } from '../queries/follows.ts';

export function followChanged(tx: Tx, { followerId, followeeId }: Pair, now: Date): void {
  const payload = { followee_id: followeeId, follower_id: followerId };
  void appendMessage(tx, { bucket: bucketOf(followeeId), type: 'follow.changed', payload }, now);
}
