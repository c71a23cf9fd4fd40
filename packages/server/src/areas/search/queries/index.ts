// Every SQL statement on the tables of search.
export * from './article-search.ts';
export * from './comment-documents.ts';
export * from './comment-search.ts';
export * from './documents.ts';
export * from './principal-documents.ts';
export * from './principal-search.ts';
export * from './lexize-query.ts';
export * from './search-statistics.ts';
export * from './search-words.ts';
