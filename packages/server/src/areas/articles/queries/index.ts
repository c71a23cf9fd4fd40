// Every SQL statement on articles, revisions and contents, by what it is about.
export * from './articles.ts';
export * from './counts.ts';
export * from './home.ts';
export * from './lists.ts';
export * from './revisions.ts';
export type { ArticleRow, CountColumns, ListedRow, RevisionRow, ShownRow } from './rows.ts';
