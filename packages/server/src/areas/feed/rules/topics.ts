// The bucket of a topic, and the changes of counts when an article's topics change. Pure.
import { createHash } from 'node:crypto';
import { BUCKETS } from '#lib/id';
import type { KeptTopic, TopicCount, TopicKey } from '../queries/index.ts';

/** Returns the key of a topic's row. Migration 0019 computes the same bucket. */
export function topicKey(slug: string): TopicKey {
  return { bucket: createHash('sha256').update(slug).digest().readUInt16BE(0) % BUCKETS, slug };
}

/**
 * Returns the topics whose counts, names or dates change when the topics of an article change from `kept`
 * to `wanted`.
 */
export function changedTopics(
  kept: readonly KeptTopic[],
  wanted: readonly KeptTopic[],
): readonly TopicCount[] {
  const before = new Map(kept.map((topic) => [topic.slug, topic]));
  const after = new Map(wanted.map((topic) => [topic.slug, topic]));
  const slugs = [...new Set([...before.keys(), ...after.keys()])];
  return slugs
    .filter((slug) => {
      const [old, next] = [before.get(slug), after.get(slug)];
      return old?.name !== next?.name || old?.published_at !== next?.published_at;
    })
    .map((slug) => ({
      ...topicKey(slug),
      delta: Number(after.has(slug)) - Number(before.has(slug)),
    }));
}

/**
 * Returns the summed changes of several articles, one per topic, in the order in which topics are locked.
 */
export function summedTopics(changes: readonly TopicCount[]): readonly TopicCount[] {
  const bySlug = Map.groupBy(changes, ({ slug }) => slug);
  return [...bySlug]
    .map(([slug, some]) => ({
      ...topicKey(slug),
      delta: some.reduce((sum, { delta }) => sum + delta, 0),
    }))
    .toSorted((one, other) => one.bucket - other.bucket || (one.slug < other.slug ? -1 : 1));
}
