// GET /v1/edges/{id}: one edge, for callers who may know its source.
import { auditedRead, isKnown, isOpen, requireReadScope } from '#articles';
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findEdge, findEnd } from '../queries/index.ts';
import { asSource } from '../rules/edges.ts';
import { edgeView } from '../views/edges.ts';

export const readEdge = implement(operations.readEdge)(async (
  { db, caller, problem },
  { params },
) => {
  const edge = await findEdge(db, keyOf(params.id));
  const source = edge && asSource(edge.source);
  if (edge === undefined || source === undefined || !isKnown(source, caller))
    throw problem('not-found', 'No edge has this id, or it is not visible to you.');
  const open = isOpen(source);
  if (!open) requireReadScope(source, caller);
  const { dst_article_id: id } = edge;
  const destination = id === null ? undefined : await findEnd(db, keyOf(id));
  const body = edgeView(edge, { source: edge.source, destination });
  return { status: 200, body, shared: open, ...auditedRead(caller, [source]) };
});
