// Finds the caller of a session in one statement and reports the use of the session without writing.
import { ordinaryScopes, sessionLimits } from '@colophon/contract';
import { sql } from '#database';
import type { Scope } from '@colophon/contract';
import type { Database, KeyMember, Statement } from '#database';
import { bucketOf } from '#lib/id';
import { readSecret } from '#lib/bucket-secret';
import type { Beside, Caller } from './caller.ts';
import { callerReads } from './caller-reads.ts';

const dayMs = 86_400_000;

interface Row {
  readonly session_id: string;
  readonly checked_at: string | null;
  readonly id: string;
  readonly username: string;
  readonly trust_level: number;
  readonly suspended: boolean;
  /** The scopes of the token whose link opened the session, until a passkey check; otherwise null. */
  readonly token_scopes: readonly Scope[] | null;
}

function rowOf(bucket: KeyMember, hash: KeyMember, now: Date): Statement<Row> {
  const idleSince = new Date(now.getTime() - sessionLimits.idle_days * dayMs);
  return sql<Row>`
    select
      s.id as session_id, s.checked_at, p.id, p.username, p.trust_level,
      p.status = 'suspended' as suspended, t.scopes as token_scopes
    from sessions s
    join principals p on p.bucket = s.bucket and p.id = s.principal_id
    left join tokens t on t.bucket = s.bucket and t.id = s.token_id
    where s.bucket = ${bucket}
      and s.hash = ${hash}
      and s.expires_at > ${now.toISOString()}
      and s.last_used_at > ${idleSince.toISOString()}
      and p.status <> 'closed'
      and (
        s.token_id is null
        or t.id = s.token_id and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now.toISOString()})
      )`;
}

function scopesOf({ token_scopes: ofToken }: Row): readonly Scope[] {
  return ofToken === null ? ordinaryScopes : ordinaryScopes.filter((one) => ofToken.includes(one));
}

/** Finds the caller of a session; undefined if it is unknown or has ended, or its account is closed. */
export type AuthenticateSession = (
  secret: string,
  address: string,
  beside?: Beside,
) => Promise<Caller | undefined>;

/**
 * Returns the authentication by session. Nothing is cached: signing out takes effect on the next request, on
 * every process.
 */
export function sessionAuthenticator(
  db: Database,
  now: () => Date,
  used: (sessionId: string, address: string) => void,
): AuthenticateSession {
  const readWith = callerReads((bucket, hash) => rowOf(bucket, hash, now()));
  return async (text, address, beside) => {
    const secret = readSecret(text);
    if (secret === undefined) return undefined;
    const row = await db.find(readWith(beside), secret);
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
      scopes: scopesOf(row),
      token: null,
      session: { id: row.session_id, checkedAt: row.checked_at },
      ...(row.beside === undefined ? {} : { beside: row.beside }),
    };
  };
}
