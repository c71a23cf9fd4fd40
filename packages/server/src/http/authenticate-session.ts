// Finds the caller of a session in one statement and reports the use of the session without writing.
import { ordinaryScopes, sessionLimits } from '@colophon/contract';
import { sql } from '#database';
import type { Database } from '#database';
import { bucketOf } from '#lib/id';
import { readSecret } from '#lib/bucket-secret';
import type { Caller } from './caller.ts';

interface Row {
  readonly session_id: string;
  readonly checked_at: string | null;
  readonly id: string;
  readonly username: string;
  readonly trust_level: number;
  readonly suspended: boolean;
}

/** Finds the caller of a session; undefined if it is unknown or has ended, or its account is closed. */
export type AuthenticateSession = (secret: string, address: string) => Promise<Caller | undefined>;

const dayMs = 86_400_000;

/**
 * Returns the authentication by session. Nothing is cached: signing out takes effect on the next request, on
 * every process.
 */
export function sessionAuthenticator(
  db: Database,
  now: () => Date,
  used: (sessionId: string, address: string) => void,
): AuthenticateSession {
  return async (text, address) => {
    const secret = readSecret(text);
    if (secret === undefined) return undefined;
    const idleSince = new Date(now().getTime() - sessionLimits.idle_days * dayMs);
    const row = await db.first(sql<Row>`
      select
        s.id as session_id, s.checked_at, p.id, p.username, p.trust_level,
        p.status = 'suspended' as suspended
      from sessions s
      join principals p on p.bucket = s.bucket and p.id = s.principal_id
      where s.bucket = ${secret.bucket}
        and s.hash = ${secret.hash}
        and s.expires_at > ${now().toISOString()}
        and s.last_used_at > ${idleSince.toISOString()}
        and p.status <> 'closed'`);
    if (row === undefined) return undefined;
    used(row.session_id, address);
    return {
      id: row.id,
      bucket: bucketOf(row.id),
      kind: 'human',
      username: row.username,
      ownerId: null,
      trustLevel: row.trust_level,
      suspended: row.suspended,
      scopes: ordinaryScopes,
      token: null,
      session: { id: row.session_id, checkedAt: row.checked_at },
    };
  };
}
