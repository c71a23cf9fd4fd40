// The door of the sitemap.
import { rebuildingSitemap, rebuildingSitemapFiles, sitemapSubscribers } from './subscribers.ts';

export const subscribers = sitemapSubscribers;

export const rebuilding = [rebuildingSitemap, rebuildingSitemapFiles];

export { sitemapOf } from './service/read-sitemap.ts';
