// The messages that media leave for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';
import type { Place } from './queries/index.ts';

/** An image is there that nobody has looked at yet. */
export function imageReady(tx: Tx, place: Place, now: Date): void {
  const payload = { media_id: place.id };
  void appendMessage(tx, { bucket: place.bucket, type: 'media.ready', payload }, now);
}

/** Names in the store that no row refers to once this is committed. */
export function bytesFreed(tx: Tx, bucket: number, names: readonly string[], now: Date): void {
  if (names.length === 0) return;
  void appendMessage(tx, { bucket, type: 'bytes.freed', payload: { names } }, now);
}
