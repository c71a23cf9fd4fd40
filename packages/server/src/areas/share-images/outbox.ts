// The messages that discovery leaves for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';

/** Names in the media store that no row refers to once this is committed. */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
