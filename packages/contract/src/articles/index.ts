// Articles: their records and all operations on them.
export { Article, ArticleSummary, Revision, RevisionSummary } from './records.ts';
export * from './reads.ts';
export * from './writes.ts';
