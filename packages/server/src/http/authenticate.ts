// Finds the caller of a token in one statement and reports the use of the token without writing.
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import type { Database, KeyMember, Statement } from '#database';
import { bucketOf } from '#lib/id';
import { readToken } from '@colophon/text/lib/token-text';
import { usableScopes } from './caller.ts';
import type { Authenticate, Caller } from './caller.ts';
import { callerReads } from './caller-reads.ts';

interface Row {
  readonly token_id: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly owner_principal_id: string | null;
  readonly trust_level: number;
  readonly suspended: boolean;
}

function rowOf(bucket: KeyMember, hash: KeyMember): Statement<Row> {
  return sql<Row>`
    select
      t.id as token_id, t.scopes, t.expires_at,
      p.id, p.kind, p.username, p.owner_principal_id,
      coalesce(o.trust_level, p.trust_level) as trust_level,
      (p.status = 'suspended' or coalesce(o.status, 'active') <> 'active') as suspended
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    where t.bucket = ${bucket}
      and t.hash = ${hash}
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())
      and p.status <> 'closed'`;
}

function callerOf(row: Row): Caller {
  return {
    id: row.id,
    bucket: bucketOf(row.id),
    kind: row.kind,
    username: row.username,
    ownerId: row.owner_principal_id,
    trustLevel: row.trust_level,
    suspended: row.suspended,
    scopes: usableScopes(row.scopes, row),
    token: { id: row.token_id, expiresAt: row.expires_at },
    session: null,
  };
}

/**
 * Returns the authentication by bearer token (RFC 6750). Nothing is cached: a revocation takes effect on the
 * next request on every process. A token with a wrong form or checksum costs no database read.
 */
export function authenticator(
  db: Database,
  deployment: 'production' | 'staging',
  used: (tokenId: string) => void,
): Authenticate {
  const readWith = callerReads(rowOf);
  return async (text, beside) => {
    const token = readToken(text, deployment);
    if (token === undefined) return undefined;
    const row = await db.find(readWith(beside), token);
    if (row === undefined) return undefined;
    used(row.token_id);
    return row.beside === undefined ? callerOf(row) : { ...callerOf(row), beside: row.beside };
  };
}
