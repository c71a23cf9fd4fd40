// Every SQL statement on the tables of discovery.
export * from './article-search.ts';
export * from './comment-documents.ts';
export * from './comment-search.ts';
export * from './documents.ts';
export * from './feed.ts';
export * from './og-images.ts';
export * from './principal-documents.ts';
export * from './principal-search.ts';
export * from './readings.ts';
export * from './search-statistics.ts';
export * from './search-words.ts';
export * from './sitemap.ts';
export * from './support.ts';
export * from './topics.ts';
export * from './trends.ts';
export * from './walk.ts';
