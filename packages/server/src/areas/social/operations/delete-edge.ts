// DELETE /v1/edges/{id}: the principal who asserted an edge deletes it at both of its ends.
import { insertCountDelta, isShown } from '#articles';
import { operations } from '@colophon/contract';
import { eraseStoredText, implement } from '#http';
import { keyOf } from '#lib/id';
import { edgeChanged } from '../outbox/edges.ts';
import { deleteIncomingEdge, deleteOwnEdge, findEdge } from '../queries/index.ts';
import { asSource, targetOf } from '../rules/edges.ts';

export const deleteEdge = implement(operations.deleteEdge)(async (
  { tx, caller, problem, now },
  { params },
) => {
  const edgeKey = keyOf(params.id);
  const deleted = await deleteOwnEdge(tx, edgeKey, caller.id);
  if (deleted === undefined) {
    const edge = await findEdge(tx, edgeKey);
    if (edge === undefined || !isShown(asSource(edge.source), caller))
      throw problem('not-found', 'No edge has this id, or it is not visible to you.');
    throw problem('forbidden', 'Only the principal that created the edge can delete it.');
  }
  const { src_article_id: source, dst_article_id: destination, dst_key: key } = deleted;
  void eraseStoredText(tx, caller, { id: edgeKey.id, member: 'note' });
  insertCountDelta(tx, { bucket: edgeKey.bucket, id: source }, { edgesOut: -1 }, now);
  const { bucket } = targetOf(deleted);
  void deleteIncomingEdge(tx, { bucket, id: edgeKey.id }, key);
  if (destination !== null && deleted.counted) {
    insertCountDelta(tx, { bucket, id: destination }, { edgesIn: -1 }, now);
    edgeChanged(tx, destination, caller.id, now);
  }
  return { status: 204, body: undefined };
});
