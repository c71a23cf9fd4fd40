// What identity tells participants: new credentials, to whoever did not make them.
import type { Caller } from '#http';
import type { Notice } from '#notices';

/** To the principal and to the owner who answers for it; the notices of one's own acts are not written. */
export function credentialNotices(
  type: 'token.issued' | 'key.registered',
  caller: Pick<Caller, 'id' | 'ownerId'>,
  principalId: string,
  payload: Notice['payload'],
): readonly Notice[] {
  const told = new Set([principalId, caller.ownerId ?? caller.id]);
  return [...told].map((recipientId) => ({
    recipientId,
    type,
    actorId: caller.id,
    subjectType: 'principal',
    subjectId: principalId,
    payload,
  }));
}
