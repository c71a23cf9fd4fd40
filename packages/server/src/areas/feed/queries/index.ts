// Every SQL statement on the tables of the feed.
export * from './feed.ts';
export * from './support.ts';
export * from './supporters.ts';
export * from './topic-lists.ts';
export * from './topics.ts';
export * from './trends.ts';
