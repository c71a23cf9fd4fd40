// GET /v1/articles/{id}/revisions/{revision_id}/proof: what is needed to verify a revision offline.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findArticle, findProof } from '../queries/index.ts';
import { auditedRead, requireReadable, requireRevisionReadable } from '../rules/articles.ts';
import { proofView } from '../views/revisions.ts';

export const readProof = implement(operations.readProof)(async (
  { db, caller, problem, transparency },
  { params },
) => {
  const key = keyOf(params.id);
  const row = await findProof(db, key, params.revision_id);
  if (row === undefined) {
    requireReadable(problem, await findArticle(db, key), caller);
    throw problem('not-found', 'The article has no revision with this id.');
  }
  requireReadable(problem, row, caller);
  requireRevisionReadable(problem, row, caller);
  const { revision_id: revisionId, signature } = row;
  const log = await transparency.prove(db, { revisionId, signature });
  return {
    status: 200,
    body: { ...proofView(row, caller), log },
    ...auditedRead(caller, [row], row.revision_published_at === null ? [row.revision_id] : []),
    etag: row.revision_id,
    etagOfRepresentation: true,
    shared: row.status === 'published' && row.visibility === 'public',
  };
});
