// The messages of exports for the pipeline.
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import { appendMessage } from '#outbox';

/** Appends the message that an export has steps left. */
export function exportRequested(tx: Tx, { bucket, id }: RowKey, now: Date): void {
  void appendMessage(tx, { bucket, type: 'export.requested', payload: { export_id: id } }, now);
}
