// GET /v1/articles/{id}/revisions: what was published, for everybody; all, for the author.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { bucketOf } from '#lib/id';
import { findArticle, listRevisions as findRevisions } from '../queries/index.ts';
import { requireReadable, standingOf } from '../rules.ts';
import { revisionSummaryView } from '../views.ts';

export const listRevisions = implement(operations.listRevisions)(async (
  { db, caller, problem },
  { params, query },
) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  const article = await findArticle(db, place);
  requireReadable(problem, article, caller);
  const limit = limitOf(query);
  const all =
    standingOf(article, caller) !== 'reader' && caller?.scopes.includes('articles:read') === true;
  const rows = await findRevisions(db, {
    ...place,
    before: query.cursor,
    limit,
    publishedOnly: !all,
  });
  return {
    status: 200,
    body: pageOf(rows, limit, { view: revisionSummaryView, cursor: (row) => row.revision_id }),
  };
});
