// The messages of media for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';
import type { RowKey } from '#lib/id';

/** Appends the message that an image is ready and not decoded yet. */
export function imageReady(tx: Tx, key: RowKey, now: Date): void {
  const payload = { media_id: key.id };
  void appendMessage(tx, { bucket: key.bucket, type: 'media.ready', payload }, now);
}

/** Appends the message with names in the store to which no row refers after this transaction. */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
