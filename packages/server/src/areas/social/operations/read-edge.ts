// GET /v1/edges/{id}: one edge, for callers who may know its source.
import { auditedRead, isOpen, isShown } from '#articles';
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findEdge } from '../queries/index.ts';
import { edgeView } from '../views/edges.ts';

export const readEdge = implement(operations.readEdge)(async (
  { db, caller, problem },
  { params },
) => {
  const edge = await findEdge(db, keyOf(params.id));
  if (edge === undefined || !isShown(edge.source, caller))
    throw problem('not-found', 'No edge has this id, or it is not visible to you.');
  const audited = auditedRead(caller, [{ ...edge.source, id: edge.src_article_id }]);
  return { status: 200, body: edgeView(edge), shared: isOpen(edge.source), ...audited };
});
