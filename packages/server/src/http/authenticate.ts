// Finds the caller of a token in one statement and reports the use of the token without writing.
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import type { Database, Statement } from '#database';
import { bucketOf } from '#lib/id';
import { readToken } from '@colophon/text/lib/token-text';
import { usableScopes } from './caller.ts';
import type { Authenticate, Beside, Caller } from './caller.ts';

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

interface RowBeside extends Row {
  readonly beside: string | null;
}

type Token = NonNullable<ReturnType<typeof readToken>>;

function rowOf(token: Token): Statement<Row> {
  return sql<Row>`
    select
      t.id as token_id, t.scopes, t.expires_at,
      p.id, p.kind, p.username, p.owner_principal_id,
      coalesce(o.trust_level, p.trust_level) as trust_level,
      (p.status = 'suspended' or coalesce(o.status, 'active') <> 'active') as suspended
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    where t.bucket = ${token.bucket}
      and t.hash = ${token.hash}
      and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())
      and p.status <> 'closed'`;
}

function rowBeside(token: Token, beside: Beside): Statement<RowBeside> {
  return sql<RowBeside>`
    select
      found.token_id, found.scopes, found.expires_at, found.id, found.kind, found.username,
      found.owner_principal_id, found.trust_level, found.suspended,
      (${beside(token.bucket)}) as beside
    from (${rowOf(token)}) as found`;
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
  return async (text, beside) => {
    const token = readToken(text, deployment);
    if (token === undefined) return undefined;
    const row = await db.first<Row | RowBeside>(
      beside === undefined ? rowOf(token) : rowBeside(token, beside),
    );
    if (row === undefined) return undefined;
    used(row.token_id);
    return 'beside' in row ? { ...callerOf(row), beside: row.beside } : callerOf(row);
  };
}
