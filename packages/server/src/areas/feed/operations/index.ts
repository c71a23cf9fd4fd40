// The operations of feed: each one named here is served.
export { listTopics } from './list-topics.ts';
export { readFeed } from './read-feed.ts';
export { readTopic } from './read-topic.ts';
