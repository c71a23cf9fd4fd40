// Every SQL statement of social, one file per subject.
export * from './comment-authors.ts';
export * from './comment-lists.ts';
export type {
  ArticleColumns,
  AuthorRow,
  CommentInArticle,
  CommentRow,
  CommentState,
  Target,
} from './comment-rows.ts';
export * from './comment-treatments.ts';
export * from './comments.ts';
export * from './citations.ts';
export * from './edge-lists.ts';
export type { EdgeKind, EdgeRow, EndRow, ShownEndRow } from './edge-rows.ts';
export * from './edges.ts';
export * from './follow-lists.ts';
export * from './moderating.ts';
