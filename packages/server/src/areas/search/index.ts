// The door of search: finds articles, comments and principals by their words.
import * as implemented from './operations/index.ts';
import { commentSubscribers, rebuildingComments } from './subscribers/comments.ts';
import { documentSubscribers, rebuildingSearch } from './subscribers/documents.ts';
import { principalSubscribers, rebuildingPrincipals } from './subscribers/principals.ts';
import { searchStatistics } from './subscribers/search-statistics.ts';

export const operations = Object.values(implemented);

export const subscribers = [...documentSubscribers, ...commentSubscribers, ...principalSubscribers];

export const recurring = [searchStatistics];

export const rebuilding = [rebuildingSearch, rebuildingComments, rebuildingPrincipals];
