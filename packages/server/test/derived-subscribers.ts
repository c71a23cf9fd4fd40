// The subscribers that keep search, feed and sitemap, for tests that run no others.
import { subscribers as ofFeed } from '#feed';
import { subscribers as ofSearch } from '#search';
import { subscribers as ofSitemap } from '#sitemap';

export const subscribers = [...ofSearch, ...ofFeed, ...ofSitemap];
