// What discovery does when a message arrives.
import type { Reaction, Recurring } from '#outbox';
import { commentReactions } from './comments.ts';
import { documentReactions } from './documents.ts';
import { principalReactions } from './principals.ts';
import { searchStatistics } from './search-statistics.ts';
import { sitemapReactions } from './sitemap.ts';
import { feedReactions } from './trends.ts';

export const reactions: readonly Reaction[] = [
  ...documentReactions,
  ...feedReactions,
  ...sitemapReactions,
  ...commentReactions,
  ...principalReactions,
];

export const recurring: readonly Recurring[] = [searchStatistics];

export { rebuildingComments } from './comments.ts';
export { rebuildingPrincipals } from './principals.ts';
export { rebuildingSearch } from './documents.ts';
export { rebuildingExcerpts } from './excerpts.ts';
export { ogReactions, rebuildingOgImages } from './og-images.ts';
export { ogImageFrom } from './read-og-image.ts';
export type { Rebuilding } from './rebuilding.ts';
export { sitemapOf } from './read-sitemap.ts';
export { rebuildingSitemap, rebuildingSitemapFiles } from './sitemap.ts';
export { rebuildingTopics } from './topics.ts';
export { rebuildingFeed } from './trends.ts';
