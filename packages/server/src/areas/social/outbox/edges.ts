// The events and messages of an edge: for the author of its target, for citing authors, and the pipeline.
import { insertCountDelta } from '#articles';
import type { Tx } from '#database';
import { bucketOf, keyOf } from '#lib/id';
import { appendEvent } from '#event-log';
import { appendMessage } from '#outbox';
import { setIncomingEdge } from '../queries/index.ts';
import type { EdgeRow, EndRow } from '../queries/index.ts';
import { changeOf, targetOf } from '../rules/edges.ts';

/** The articles at the ends of an edge; no destination: the edge leads to an address. */
export interface Ends {
  readonly source: EndRow;
  readonly destination: EndRow | undefined;
}

interface Linked {
  readonly source: EndRow;
  readonly destination: EndRow;
}

function citationChanged(tx: Tx, edge: EdgeRow, { source, destination }: Linked, now: Date): void {
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

/** Appends the message that an article gained or lost a publicly findable edge. */
export function edgeChanged(tx: Tx, destinationId: string, authorId: string, now: Date): void {
  const payload = { dst_article_id: destinationId, author_id: authorId };
  void appendMessage(tx, { bucket: bucketOf(destinationId), type: 'edge.changed', payload }, now);
}

/** Which writes the target has already had for an edge, and whether everyone can find the source now. */
export interface TargetState {
  readonly shown: boolean;
  readonly counted: boolean;
  readonly announced: boolean;
}

/**
 * Writes the target's row of an edge, adjusts the count of its shown edges and appends the event once. Call
 * it last in the transaction: it locks the event counter of the recipient.
 */
export function updateEdgeTarget(
  tx: Tx,
  edge: EdgeRow,
  ends: Ends,
  { shown, counted, announced, now }: TargetState & { readonly now: Date },
): void {
  const { source, destination } = ends;
  const showing = { shown, ownerId: source.owner_principal_id };
  void setIncomingEdge(tx, targetOf(edge).bucket, edge, showing);
  if (destination === undefined) return;
  const key = keyOf(destination.id);
  const edgesIn = Number(shown) - Number(counted);
  if (edgesIn !== 0) {
    insertCountDelta(tx, key, { edgesIn }, now);
    edgeChanged(tx, destination.id, edge.created_by_principal_id, now);
  }
  if (shown && !announced) announce(tx, edge, { source, destination }, now);
}

function announce(tx: Tx, edge: EdgeRow, ends: Linked, now: Date): void {
  const { destination } = ends;
  citationChanged(tx, edge, ends, now);
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
