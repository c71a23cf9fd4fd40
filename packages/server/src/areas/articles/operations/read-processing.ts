// GET /v1/articles/{id}/processing: which derived rows the pipeline has built from the last publication.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findArticle, findDerived } from '../queries/index.ts';
import { auditedRead, requireReadable, stepsOf } from '../rules/articles.ts';

export const readProcessing = implement(operations.readProcessing)(async (
  { db, caller, problem, config },
  { params },
) => {
  const key = keyOf(params.id);
  const [article, derived] = await Promise.all([findArticle(db, key), findDerived(db, key)]);
  requireReadable(problem, article, caller);
  const audited = auditedRead(caller, [article]);
  return { status: 200, body: stepsOf(article, derived, config), ...audited };
});
