// Waits that end when the caller's token is revoked or expires.
import { sql } from '#database';
import type { Db } from '#database';
import { unauthenticated } from './caller.ts';
import type { Caller } from './caller.ts';
import type { Listening } from './implement.ts';

/**
 * Checks that the token of a request that has waited is still valid.
 * @throws unauthenticated: it was revoked or has expired
 */
async function requireHolding(db: Db, caller: Caller | null): Promise<void> {
  const token = caller?.token ?? null;
  if (caller === null || token === null) return;
  const row = await db.first(sql<{ id: string }>`
    select t.id
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    where t.bucket = ${caller.bucket}
      and t.id = ${token.id}
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())
      and p.status <> 'closed'`);
  if (row === undefined)
    throw unauthenticated('The token was revoked or expired while the request was waiting.', true);
}

/** Wraps a wait so that the token is checked after each event. */
export function recheckToken(db: Db, caller: Caller | null, listening: Listening): Listening {
  return {
    next: async (ms) => {
      const again = await listening.next(ms);
      if (again) await requireHolding(db, caller);
      return again;
    },
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
