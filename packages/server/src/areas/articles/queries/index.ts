// Every SQL statement on articles, revisions and contents, one file per subject.
export * from './articles.ts';
export * from './counts.ts';
export * from './diffs.ts';
export * from './earlier-texts.ts';
export * from './erasing.ts';
export * from './excerpts.ts';
export * from './exporting.ts';
export * from './listed.ts';
export * from './lists.ts';
export * from './moderating.ts';
export * from './newest.ts';
export * from './pages.ts';
export * from './pending-erasures.ts';
export * from './published-weeks.ts';
export * from './renderings.ts';
export * from './revision-lists.ts';
export * from './revisions.ts';
export * from './treatments.ts';
export * from './unpublished.ts';
export type {
  ArticleRow,
  CountColumns,
  ListedRow,
  RevisionColumns,
  RevisionRow,
  ShownRow,
} from './rows.ts';
