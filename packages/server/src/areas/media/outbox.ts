// The messages of media for the pipeline.
import type { Tx } from '#database';
import { appendMessage } from '#outbox';
import type { RowKey } from '#lib/id';

/** Appends the message that an image is ready and not decoded yet. */
export function imageReady(tx: Tx, key: RowKey, now: Date): void {
  const payload = { media_id: key.id };
  void appendMessage(tx, { bucket: key.bucket, type: 'media.ready', payload }, now);
}
