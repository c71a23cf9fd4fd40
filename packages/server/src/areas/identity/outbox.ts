// What identity tells: the pipeline of accounts that changed or were closed, participants of new credentials.
import type { EventPayloads, Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import type { Caller } from '#http';
import type { NewEvent } from '#event-log';
import { appendMessage } from '#outbox';

type Credential = {
  [T in 'token.issued' | 'key.registered']: {
    readonly type: T;
    readonly payload: EventPayloads[T];
  };
}['token.issued' | 'key.registered'];

/** To the principal and to the owner who answers for it; the notices of one's own acts are not written. */
export function credentialNotices(
  credential: Credential,
  caller: Pick<Caller, 'id' | 'ownerId'>,
  principalId: string,
): readonly NewEvent[] {
  const told = new Set([principalId, caller.ownerId ?? caller.id]);
  return [...told].map((recipientId) => ({
    ...credential,
    recipientId,
    actorId: caller.id,
    subjectType: 'principal',
    subjectId: principalId,
  }));
}

/** What is shown of a principal has changed, or whether it is: each subscriber looks at it as it is then. */
export function principalChanged(
  tx: Tx,
  { bucket, id }: { readonly bucket: number; readonly id: string },
  now: Date,
): void {
  void appendMessage(tx, { bucket, type: 'principal.changed', payload: { principal_id: id } }, now);
}

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
