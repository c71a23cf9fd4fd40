// Finds the caller of a request, after the limits of the address and before those of the owner.
import type { IncomingMessage } from 'node:http';
import type { AnyOperation } from '@colophon/contract';
import { authorizeState } from './caller.ts';
import type { Beside, Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import type { RateLimiter } from './rate-limits/index.ts';

interface Called {
  readonly operation: Pick<AnyOperation, 'method' | 'suspendedToo'>;
  readonly beside?: Beside | undefined;
}

/**
 * Returns the caller; null without a credential.
 * @throws unauthenticated: an invalid token is never ignored, even if none is required
 * @throws forbidden, rate-limited
 */
export async function findCaller(
  { operation, beside }: Called,
  { headers }: IncomingMessage,
  { credentials, address }: { readonly credentials: Credentials; readonly address: string },
  limiter: RateLimiter | undefined,
): Promise<Caller | null> {
  await limiter?.limitAddress();
  if (!credentials.arePresent(headers)) return null;
  const caller = await credentials.find(headers, address, beside);
  if (caller === undefined) {
    // Refused or taken as none: it was looked up, and so it is counted.
    await limiter?.countBadToken();
    const refusal = credentials.unknown();
    if (refusal !== undefined) throw refusal;
    await limiter?.limitAnonymous();
    return null;
  }
  await limiter?.limitOwner(caller.ownerId ?? caller.id);
  authorizeState(operation, caller);
  return caller;
}
