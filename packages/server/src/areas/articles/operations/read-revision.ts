// GET /v1/articles/{id}/revisions/{revision_id}: one revision.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findArticle, findRevision } from '../queries/index.ts';
import { auditedRead, requireReadable, requireRevisionReadable } from '../rules/articles.ts';
import { revisionView } from '../views/revisions.ts';

export const readRevision = implement(operations.readRevision)(async (
  { db, caller, problem },
  { params },
) => {
  const key = keyOf(params.id);
  const row = await findRevision(db, key, params.revision_id);
  if (row === undefined) {
    requireReadable(problem, await findArticle(db, key), caller);
    throw problem('not-found', 'The article has no revision with this id.');
  }
  requireReadable(problem, row, caller);
  requireRevisionReadable(problem, row, caller);
  return {
    status: 200,
    body: revisionView(row),
    ...auditedRead(caller, [row], row.revision_published_at === null ? [row.revision_id] : []),
    etag: row.revision_id,
    // The displayed state of a signature changes with its key; the rest of a revision never changes.
    ...(row.signature === null ? {} : { etagOfRepresentation: true }),
    shared: row.status === 'published' && row.visibility === 'public',
  };
});
