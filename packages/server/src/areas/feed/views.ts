// The API's view of topics.
import type { TopicRow } from './queries/index.ts';

/** Returns undefined if no article that is listed now has the topic. */
export function topicView({ slug, name, article_count, last_published_at }: TopicRow) {
  if (name === null) return undefined;
  return { slug, name, article_count, last_published_at, trust: 'untrusted' as const };
}
