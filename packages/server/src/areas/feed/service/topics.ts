// Keeps the counts of topics exact: each changes with its articles, under the lock of the topic's row.
import type { Tx } from '#database';
import {
  countTopics,
  listStaleTopics,
  listTopicsAfter,
  lockTopics,
  setTopicRecounted,
  setCounts,
  setTopics,
} from '../queries/index.ts';
import type { KeptTopic } from '../queries/index.ts';
import { changedTopics, summedTopics, topicKey } from '../rules/topics.ts';
import type { Rebuilding } from '#reindex';
import type { RowKey } from '#lib/id';

export interface Retopic {
  readonly key: RowKey;
  readonly kept: readonly KeptTopic[];
  readonly wanted: readonly KeptTopic[];
}

/**
 * Changes the topics of articles whose rows in article_trends are locked. The topics' rows are locked in
 * the same order everywhere, and nothing is locked after them, so that no deadlock is possible. Call it
 * last: it does not wait for its statements, and a popular topic is locked only for the time of the commit.
 */
export function retopic(tx: Tx, articles: readonly Retopic[]): void {
  const changing = articles
    .map((one) => ({ ...one, changes: changedTopics(one.kept, one.wanted) }))
    .filter(({ changes }) => changes.length > 0);
  if (changing.length === 0) return;
  const sums = summedTopics(changing.flatMap(({ changes }) => changes));
  void lockTopics(tx, sums);
  void setTopics(
    tx,
    changing.map(({ key, wanted }) => ({ ...key, topics: wanted })),
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
      setTopicRecounted(tx, key);
    }),
};
