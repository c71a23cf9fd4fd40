// The operations of articles: each one exported here is served.
export { createArticle } from './create-article.ts';
export { createRevision } from './create-revision.ts';
export { deleteArticle } from './delete-article.ts';
export { eraseArticle } from './erase-article.ts';
export { listArticles } from './list-articles.ts';
export { listRevisions } from './list-revisions.ts';
export { publishArticle } from './publish-article.ts';
export { readArticle } from './read-article.ts';
export { readDiff } from './read-diff.ts';
export { readProcessing } from './read-processing.ts';
export { readProof } from './read-proof.ts';
export { readRevision } from './read-revision.ts';
export { updateArticle } from './update-article.ts';
