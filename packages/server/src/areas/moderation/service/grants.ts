// The event for a person whose token was granted scopes.
import type { Scope } from '@colophon/contract';
import type { NewEvent } from '#event-log';

export function scopesGranted(
  actorId: string,
  principalId: string,
  tokenId: string,
  granted: { readonly scopes: readonly Scope[]; readonly expires_at: string | null },
): NewEvent {
  return {
    recipientId: principalId,
    type: 'token.issued',
    actorId,
    subjectType: 'principal',
    subjectId: principalId,
    payload: { token_id: tokenId, scopes: granted.scopes, expires_at: granted.expires_at },
  };
}
