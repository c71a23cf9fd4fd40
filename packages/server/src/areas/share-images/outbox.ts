// The messages that share images append to the outbox.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';

/** Reports names in the media store that no row refers to after this commit. */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
