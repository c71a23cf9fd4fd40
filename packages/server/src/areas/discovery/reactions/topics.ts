// Keeps the counts of topics exact: they change with what is counted, under the lock of the topic's row.
import type { Tx } from '#database';
import {
  countTopics,
  listStaleTopics,
  listTopicsAfter,
  lockTopics,
  recountTopic,
  setCounts,
  setTopics,
} from '../queries/index.ts';
import type { ArticleKey, KeptTopic } from '../queries/index.ts';
import { changedTopics, topicKey } from '../rules/topics.ts';
import type { Rebuilding } from './rebuilding.ts';

/**
 * Gives an article, whose row in article_trends is held, other topics. The topics' rows are held in one order
 * everywhere, and nothing is held after them, so that nobody waits in a circle. To be called last: none of
 * it is waited for, and a topic that many articles have is held for the time of the commit.
 */
export function retopic(
  tx: Tx,
  key: ArticleKey,
  kept: readonly KeptTopic[],
  wished: readonly KeptTopic[],
): void {
  const changes = changedTopics(kept, wished);
  if (changes.length === 0) return;
  void lockTopics(tx, changes);
  void setTopics(tx, key, wished);
  setCounts(tx, changes);
}

export const rebuildingTopics: Rebuilding = {
  name: 'topics',
  version: 1,
  count: countTopics,
  next: listTopicsAfter,
  stale: listStaleTopics,
  rebuild: (slug, { db }) =>
    db.transaction(async (tx) => {
      const key = topicKey(slug);
      await lockTopics(tx, [{ ...key, delta: 0 }]);
      recountTopic(tx, key);
    }),
};
