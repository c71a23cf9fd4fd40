// What an edge tells once everybody can find its source: its target, the target's author, and the pipeline.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { notify } from '#notices';
import { appendMessage } from '#outbox';
import { insertIncomingEdge } from '../queries/index.ts';
import type { EdgeRow, EndRow } from '../queries/index.ts';
import { changeOf, targetOf } from '../rules/edges.ts';

/** What stands at the ends of an edge; no destination: an address. */
export interface Ends {
  readonly source: EndRow;
  readonly destination: EndRow | undefined;
}

function tellCiters(tx: Tx, edge: EdgeRow, { source, destination }: Ends, now: Date): void {
  if (destination === undefined) return;
  const change = changeOf(edge.kind, source, destination);
  if (change === undefined) return;
  const payload = {
    article_id: destination.id,
    change,
    edge_id: edge.id,
    src_article_id: edge.src_article_id,
    actor_id: edge.created_by_principal_id,
  };
  const bucket = bucketOf(destination.id);
  void appendMessage(tx, { bucket, type: 'citation.changed', payload }, now);
}

/**
 * The target shows the edge from now on. To be called last in the transaction that makes it so: it locks
 * the counter of whoever is told.
 */
export function edgeAnnounced(tx: Tx, edge: EdgeRow, ends: Ends, now: Date): void {
  const { destination } = ends;
  void insertIncomingEdge(tx, targetOf(edge).bucket, edge);
  if (destination === undefined) return;
  const place = { bucket: bucketOf(destination.id), id: destination.id };
  insertCountDelta(tx, place, { edgesIn: 1 }, now);
  tellCiters(tx, edge, ends, now);
  notify(
    tx,
    [
      {
        type: 'edge.created',
        recipientId: destination.author_id,
        actorId: edge.created_by_principal_id,
        subjectType: 'article',
        subjectId: destination.id,
        payload: { edge_id: edge.id, kind: edge.kind, src_article_id: edge.src_article_id },
      },
    ],
    now,
  );
}
