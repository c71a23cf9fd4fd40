// Waits that end when the caller's token is revoked or expires, or the caller's session ends.
import { readById, sql } from '#database';
import type { Db } from '#database';
import { unauthenticatedProblem } from './caller.ts';
import type { Caller } from './caller.ts';
import type { Listening } from './implement.ts';

const validToken = readById(
  (bucket, id) => sql<{ id: string }>`
    select t.id
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    where t.bucket = ${bucket}
      and t.id = ${id}
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())
      and p.status <> 'closed'`,
);

const validSession = readById(
  (bucket, id) => sql<{ id: string }>`
    select s.id
    from sessions s
    join principals p on p.bucket = s.bucket and p.id = s.principal_id
    left join tokens t on t.bucket = s.bucket and t.id = s.token_id
    where s.bucket = ${bucket}
      and s.id = ${id}
      and s.expires_at > now()
      and p.status <> 'closed'
      and (
        s.token_id is null
        or t.id = s.token_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      )`,
);

/**
 * Checks that the token or the session of a request that has waited is still valid.
 * @throws unauthenticated: it was revoked, has ended or has expired
 */
async function requireValid(db: Db, caller: Caller | null): Promise<void> {
  if (caller === null) return;
  const { bucket, token, session } = caller;
  if (token !== null && (await db.find(validToken, { bucket, id: token.id })) === undefined)
    throw unauthenticatedProblem(
      'The token was revoked or expired while the request was waiting.',
      true,
    );
  if (session !== null && (await db.find(validSession, { bucket, id: session.id })) === undefined)
    throw unauthenticatedProblem(
      'The session ended while the request was waiting. Sign in again.',
      true,
    );
}

/** The clocks of this process and of the database differ: the next check after one that came too early. */
const shortestMs = 100;

/** Returns how long the token is still valid, in milliseconds. */
function validFor(caller: Caller | null): number {
  const end = caller?.token?.expiresAt;
  return end ? Math.max(Date.parse(end) - Date.now(), shortestMs) : Infinity;
}

/**
 * Wraps a wait so that the token or the session is checked after each event, at the moment when the token
 * expires, and when the time is over.
 */
export function recheckToken(db: Db, caller: Caller | null, listening: Listening): Listening {
  return {
    next: async (ms) => {
      const begun = performance.now();
      const validMs = validFor(caller);
      const happened = await listening.next(Math.min(ms, validMs));
      const waited = performance.now() - begun;
      // Otherwise the client has disconnected or the server stops.
      if (happened || waited >= Math.min(ms, validMs) - 1) await requireValid(db, caller);
      return happened || (validMs < ms && waited >= validMs - 1);
    },
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
