// What an edge tells its target, and once everybody can find its source: the target's author, and the pipeline.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';
import { appendEvent } from '#event-log';
import { appendMessage } from '#outbox';
import { putIncomingEdge } from '../queries/index.ts';
import type { EdgeRow, EndRow } from '../queries/index.ts';
import { changeOf, targetOf } from '../rules/edges.ts';

/** What stands at the ends of an edge; no destination: an address. */
export interface Ends {
  readonly source: EndRow;
  readonly destination: EndRow | undefined;
}

interface Linked {
  readonly source: EndRow;
  readonly destination: EndRow;
}

function tellCiters(tx: Tx, edge: EdgeRow, { source, destination }: Linked, now: Date): void {
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

/** An article has a link more, or less, that everybody can find. */
export function edgeChanged(tx: Tx, destinationId: string, authorId: string, now: Date): void {
  const payload = { dst_article_id: destinationId, author_id: authorId };
  void appendMessage(tx, { bucket: bucketOf(destinationId), type: 'edge.changed', payload }, now);
}

/** What the target has heard of an edge until now, and whether everybody can find the source. */
export interface Heard {
  readonly shown: boolean;
  readonly counted: boolean;
  readonly announced: boolean;
}

/**
 * The target has the edge from now on, shows and counts it or does not, and is told of it once. To be
 * called last in the transaction that makes it so: it locks the counter of whoever is told.
 */
export function edgeStands(
  tx: Tx,
  edge: EdgeRow,
  ends: Ends,
  { shown, counted, announced, now }: Heard & { readonly now: Date },
): void {
  const { source, destination } = ends;
  const showing = { shown, ownerId: source.owner_principal_id };
  void putIncomingEdge(tx, targetOf(edge).bucket, edge, showing);
  if (destination === undefined) return;
  const place = { bucket: bucketOf(destination.id), id: destination.id };
  const edgesIn = Number(shown) - Number(counted);
  if (edgesIn !== 0) {
    insertCountDelta(tx, place, { edgesIn }, now);
    edgeChanged(tx, destination.id, edge.created_by_principal_id, now);
  }
  if (shown && !announced) announce(tx, edge, { source, destination }, now);
}

function announce(tx: Tx, edge: EdgeRow, ends: Linked, now: Date): void {
  const { destination } = ends;
  tellCiters(tx, edge, ends, now);
  appendEvent(
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
