// The door of articles.
import { createArticle } from './operations/create-article.ts';
import { createRevision } from './operations/create-revision.ts';
import { deleteArticle } from './operations/delete-article.ts';
import { listArticles } from './operations/list-articles.ts';
import { listRevisions } from './operations/list-revisions.ts';
import { publishArticle } from './operations/publish-article.ts';
import { readArticle } from './operations/read-article.ts';
import { readHome } from './operations/read-home.ts';
import { readProcessing } from './operations/read-processing.ts';
import { readRevision } from './operations/read-revision.ts';
import { updateArticle } from './operations/update-article.ts';

export const operations = [
  createArticle,
  updateArticle,
  createRevision,
  publishArticle,
  deleteArticle,
  readArticle,
  listArticles,
  listRevisions,
  readRevision,
  readProcessing,
  readHome,
];

export { findTreatmentProgress } from './queries/index.ts';
export { reactions } from './reactions.ts';
