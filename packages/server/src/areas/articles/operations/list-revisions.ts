// GET /v1/articles/{id}/revisions: published revisions for everyone, all revisions for the author.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { keyOf } from '#lib/id';
import { findArticle, listRevisions as findRevisions } from '../queries/index.ts';
import { auditedRead, requireReadable } from '../rules/articles.ts';
import { revisionSummaryView } from '../views/revisions.ts';

export const listRevisions = implement(operations.listRevisions)(async (
  { db, caller, problem },
  { params, query },
) => {
  const key = keyOf(params.id);
  const limit = limitOf(query);
  const reads = caller?.scopes.includes('articles:read') === true;
  const [article, rows] = await Promise.all([
    findArticle(db, key),
    findRevisions(db, {
      ...key,
      before: query.cursor,
      limit,
      allFor: reads ? caller.id : null,
      all: caller?.scopes.includes('admin:moderate') === true,
    }),
  ]);
  requireReadable(problem, article, caller);
  const unpublished = rows
    .slice(0, limit)
    .filter((row) => row.revision_published_at === null)
    .map((row) => row.revision_id);
  return {
    status: 200,
    body: pageOf(rows, limit, { view: revisionSummaryView, cursor: (row) => row.revision_id }),
    ...auditedRead(caller, [article], unpublished),
    shared: article.status === 'published' && article.visibility === 'public',
  };
});
