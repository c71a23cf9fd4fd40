// GET /v1/articles/{id}/processing: what the pipeline has made of the last publication.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { findArticle, findIndexed } from '../queries/index.ts';
import { requireReadable, stepsAhead } from '../rules.ts';

export const readProcessing = implement(operations.readProcessing)(async (
  { db, caller, problem },
  { params },
) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  const [article, index] = await Promise.all([findArticle(db, place), findIndexed(db, place)]);
  requireReadable(problem, article, caller);
  return { status: 200, body: stepsAhead(article.visibility, index?.indexed === true) };
});
