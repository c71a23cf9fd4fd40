// The door of the feed: latest articles, articles of followed authors, trending articles, and topics.
import * as implemented from './operations/index.ts';
import { rebuildingTopics } from './service/topics.ts';
import { feedSubscribers, rebuildingFeed } from './subscribers.ts';

export const operations = Object.values(implemented);

export const subscribers = feedSubscribers;

export const rebuilding = [rebuildingFeed, rebuildingTopics];
