// The messages of exports for the pipeline.
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import { appendMessage } from '#outbox';

/** Appends the message that an export has steps left. */
export function exportRequested(tx: Tx, { bucket, id }: RowKey, now: Date): void {
  void appendMessage(tx, { bucket, type: 'export.requested', payload: { export_id: id } }, now);
}

/** Appends the message with names in the store to which no row refers after this transaction. */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
