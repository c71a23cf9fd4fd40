// The messages and events of identity: accounts changed or closed, credentials issued or revoked.
import type { EventPayloads, Treatment } from '@colophon/contract';
import type { Tx } from '#database';
import type { Caller } from '#http';
import type { NewEvent } from '#event-log';
import { appendMessage } from '#outbox';
import type { RowKey } from '#lib/id';

type Credential = {
  [T in 'token.issued' | 'key.registered']: {
    readonly type: T;
    readonly payload: EventPayloads[T];
  };
}['token.issued' | 'key.registered'];

/**
 * Returns the events about a credential, for the principal and for its owner. The caller gets no event of
 * their own act.
 */
export function credentialEvents(
  credential: Credential,
  caller: Pick<Caller, 'id' | 'ownerId'>,
  principalId: string,
): readonly NewEvent[] {
  const recipients = new Set([principalId, caller.ownerId ?? caller.id]);
  return [...recipients].map((recipientId) => ({
    ...credential,
    recipientId,
    actorId: caller.id,
    subjectType: 'principal',
    subjectId: principalId,
  }));
}

/**
 * Appends the message that a principal's record or its visibility changed. Each subscriber reads the current
 * row.
 */
export function principalChanged(tx: Tx, { bucket, id }: RowKey, now: Date): void {
  void appendMessage(tx, { bucket, type: 'principal.changed', payload: { principal_id: id } }, now);
}

/** Appends the message that a signing key was registered or revoked. */
export function keyChanged(
  tx: Tx,
  { bucket, id }: RowKey,
  { compromisedAt, now }: { readonly compromisedAt: string | null; readonly now: Date },
): void {
  const payload = { key_id: id, compromised_at: compromisedAt };
  void appendMessage(tx, { bucket, type: 'key.changed', payload }, now);
}

/**
 * Appends the message that an account was closed. Each area treats the works of the principal and its agents.
 */
export function principalClosed(
  tx: Tx,
  { bucket, id }: RowKey,
  treatment: Treatment,
  now: Date,
): void {
  const payload = { principal_id: id, treatment };
  void appendMessage(tx, { bucket, type: 'principal.closed', payload }, now);
}
