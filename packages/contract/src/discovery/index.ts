// Discovery: finding what was published, and what this deployment is and takes.
export { readFeed } from './feed.ts';
export { readMeta } from './meta.ts';
export { search, SearchHit } from './search.ts';
export { listTopics, readTopic, Topic } from './topics.ts';
