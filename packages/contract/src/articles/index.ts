// The operations of articles.
export * from './reads.ts';
export * from './writes.ts';
