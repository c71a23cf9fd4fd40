// GET /v1/articles/{id}/revisions/{revision_id}: one revision as it was.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { bucketOf } from '#lib/id';
import { findArticle, findRevision } from '../queries/index.ts';
import { requireReadable, requireReadScope, standingOf } from '../rules.ts';
import { revisionView } from '../views.ts';

export const readRevision = implement(operations.readRevision)(async (
  { db, caller, problem },
  { params },
) => {
  const place = { bucket: bucketOf(params.id), id: params.id };
  const row = await findRevision(db, place, params.revision_id);
  if (row === undefined) {
    requireReadable(problem, await findArticle(db, place), caller);
    throw problem('not-found', 'The article has no revision with this id.');
  }
  requireReadable(problem, row, caller);
  if (row.revision_published_at === null) {
    if (standingOf(row, caller) === 'reader')
      throw problem('not-found', 'The article has no revision with this id.');
    requireReadScope(row, caller);
  }
  return {
    status: 200,
    body: revisionView(row),
    etag: row.revision_id,
    shared: row.status === 'published' && row.visibility === 'public',
  };
});
