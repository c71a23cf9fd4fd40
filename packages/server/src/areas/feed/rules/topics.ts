// Where a topic lives, and what changes when an article's topics do. Pure.
import { createHash } from 'node:crypto';
import { BUCKETS } from '#lib/id';
import type { KeptTopic, TopicCount, TopicKey } from '../queries/index.ts';

/** Where a topic's own row lives. Migration 0019 calculates the same. */
export function topicKey(slug: string): TopicKey {
  return { bucket: createHash('sha256').update(slug).digest().readUInt16BE(0) % BUCKETS, slug };
}

/**
 * The topics whose counts, names or dates change when an article has `wished` in place of `kept`.
 */
export function changedTopics(
  kept: readonly KeptTopic[],
  wished: readonly KeptTopic[],
): readonly TopicCount[] {
  const before = new Map(kept.map((topic) => [topic.slug, topic]));
  const after = new Map(wished.map((topic) => [topic.slug, topic]));
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

/** The changes of several articles, one for each topic, in the one order in which their rows are locked. */
export function summedTopics(changes: readonly TopicCount[]): readonly TopicCount[] {
  const bySlug = Map.groupBy(changes, ({ slug }) => slug);
  return [...bySlug]
    .map(([slug, some]) => ({
      ...topicKey(slug),
      delta: some.reduce((sum, { delta }) => sum + delta, 0),
    }))
    .toSorted((one, other) => one.bucket - other.bucket || (one.slug < other.slug ? -1 : 1));
}
