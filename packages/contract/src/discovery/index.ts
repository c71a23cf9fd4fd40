// Discovery: finding published articles, and the metadata of this deployment.
export { readFeed } from './feed.ts';
export { readMeta } from './meta.ts';
export { search, SearchHit } from './search.ts';
export { listTopics, readTopic, Topic } from './topics.ts';
