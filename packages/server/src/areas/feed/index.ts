// The door of the feed: the newest articles, those of the followed, what trends, and topics.
import * as implemented from './operations/index.ts';
import { rebuildingTopics } from './service/topics.ts';
import { feedSubscribers, rebuildingFeed } from './subscribers.ts';

export const operations = Object.values(implemented);

export const subscribers = feedSubscribers;

export const rebuilding = [rebuildingFeed, rebuildingTopics];
