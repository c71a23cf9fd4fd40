// The messages that identity leaves for the pipeline.
import type { Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import { appendMessage } from '#outbox';

/** An account was closed: each area treats what its principal and the agents left there. */
export function principalClosed(
  tx: Tx,
  { bucket, id }: { readonly bucket: number; readonly id: string },
  treatment: Treatment,
  now: Date,
): void {
  const payload = { principal_id: id, treatment };
  void appendMessage(tx, { bucket, type: 'principal.closed', payload }, now);
}
