// The messages of moderation for the pipeline.
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import { appendMessage } from '#outbox';

/** Appends the message that an action was recorded, for its entry in the transparency log. */
export function actionRecorded(tx: Tx, { bucket, id }: RowKey, now: Date): void {
  void appendMessage(tx, { bucket, type: 'action.recorded', payload: { action_id: id } }, now);
}
