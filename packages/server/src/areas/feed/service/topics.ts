// Keeps the counts of topics exact: they change with what is counted, under the lock of the topic's row.
import type { Tx, ArticleKey } from '#database';
import {
  countTopics,
  listStaleTopics,
  listTopicsAfter,
  lockTopics,
  recountTopic,
  setCounts,
  setTopics,
} from '../queries/index.ts';
import type { KeptTopic } from '../queries/index.ts';
import { changedTopics, summedTopics, topicKey } from '../rules/topics.ts';
import type { Rebuilding } from '#reindex';

export interface Retopic {
  readonly key: ArticleKey;
  readonly kept: readonly KeptTopic[];
  readonly wished: readonly KeptTopic[];
}

/**
 * Gives articles, whose rows in article_trends are held, other topics. The topics' rows are held in one order
 * everywhere, and nothing is held after them, so that nobody waits in a circle. To be called last: none of
 * it is waited for, and a topic that many articles have is held for the time of the commit.
 */
export function retopic(tx: Tx, articles: readonly Retopic[]): void {
  const changing = articles
    .map((one) => ({ ...one, changes: changedTopics(one.kept, one.wished) }))
    .filter(({ changes }) => changes.length > 0);
  if (changing.length === 0) return;
  const sums = summedTopics(changing.flatMap(({ changes }) => changes));
  void lockTopics(tx, sums);
  void setTopics(
    tx,
    changing.map(({ key, wished }) => ({ ...key, topics: wished })),
  );
  setCounts(tx, sums);
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
