// The door of discovery.
import { listTopics } from './operations/list-topics.ts';
import { readFeed } from './operations/read-feed.ts';
import { readMeta } from './operations/read-meta.ts';
import { readTopic } from './operations/read-topic.ts';
import { search } from './operations/search.ts';
import {
  rebuildingComments,
  rebuildingExcerpts,
  rebuildingFeed,
  rebuildingPrincipals,
  rebuildingSearch,
  rebuildingSitemap,
  rebuildingSitemapFiles,
  rebuildingTopics,
} from './reactions/index.ts';
import type { Rebuilding } from './reactions/index.ts';

export const operations = [search, readFeed, listTopics, readTopic, readMeta];

/**
 * Everything derived but the share images, which are drawn anew when somebody asks, in the order in which it
 * is made anew: by `npm run admin -- reindex`, and by itself after an upgrade.
 */
export const rebuilding: readonly Rebuilding[] = [
  rebuildingSearch,
  rebuildingComments,
  rebuildingPrincipals,
  rebuildingFeed,
  rebuildingTopics,
  rebuildingSitemap,
  rebuildingSitemapFiles,
  rebuildingExcerpts,
];

export {
  ogImageFrom,
  ogReactions,
  reactions,
  rebuildingOgImages,
  recurring,
  sitemapOf,
} from './reactions/index.ts';
export type { Rebuilding } from './reactions/index.ts';
