// Statements on tokens: issuing and listing them, and revoking one, one with those that it issued, or all of them.
import type { Scope } from '@colophon/contract';
import { atMost, whenGiven, readById, sql } from '#database';
import type { Db, Statement, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface TokenRow {
  readonly id: string;
  readonly principal_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: Scope[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly issuer_token_id: string | null;
}

export interface NewToken extends RowKey {
  readonly principalId: string;
  readonly issuerTokenId: string | null;
  readonly hash: Buffer;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly now: Date;
}

/**
 * The issuing token is locked until the commit, so that a token revoked or reduced meanwhile issues nothing:
 * then 0 rows.
 */
export function insertToken(tx: Tx, token: NewToken): Promise<number> {
  return tx.run(sql`
    with issuer as (
      select id
      from tokens
      where bucket = ${token.bucket}
        and id = ${token.issuerTokenId}
        and revoked_at is null
        and scopes @> ${token.scopes}::text[]
      for share
    )
    insert into tokens (
      bucket, id, principal_id, issuer_token_id, hash, name, prefix, scopes, created_at, expires_at
    )
    select
      ${token.bucket}::smallint, ${token.id}, ${token.principalId}, ${token.issuerTokenId}, ${token.hash}::bytea,
      ${token.name}, ${token.prefix}, ${token.scopes}::text[], ${token.now.toISOString()}::timestamptz,
      ${token.expiresAt}::timestamptz
    where ${token.issuerTokenId}::text is null or exists (select 1 from issuer)`);
}

const tokenRow = readById(
  (bucket, id) => sql<TokenRow>`
    select
      id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at, issuer_token_id
    from tokens
    where bucket = ${bucket} and id = ${id}`,
);

export function findToken(db: Db, bucket: number, id: string): Promise<TokenRow | undefined> {
  return db.find(tokenRow, { bucket, id });
}

export interface TokenState {
  readonly principal_id: string;
  readonly issuer_token_id: string | null;
  readonly owner_principal_id: string | null;
  /** The human who answers for the token, and all agents of that human: any of them may wait for events with it. */
  readonly household: readonly string[];
}

export function findTokenState(
  db: Db,
  bucket: number,
  id: string,
): Promise<TokenState | undefined> {
  return db.first(sql<TokenState>`
    select t.principal_id, t.issuer_token_id, p.owner_principal_id, array(
      select h.id
      from principals h
      where h.bucket = ${bucket} and h.id = coalesce(p.owner_principal_id, p.id)
      union all
      select h.id
      from principals h
      where h.bucket = ${bucket} and h.owner_principal_id = coalesce(p.owner_principal_id, p.id)
    ) as household
    from tokens t
    join principals p on p.bucket = t.bucket and p.id = t.principal_id
    where t.bucket = ${bucket} and t.id = ${id}`);
}

export interface TokenPage {
  readonly bucket: number;
  readonly principalId: string;
  readonly before: string | undefined;
  readonly limit: number;
}

export function listTokens(db: Db, page: TokenPage): Promise<readonly TokenRow[]> {
  return db.rows(sql<TokenRow>`
    select
      id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at, issuer_token_id
    from tokens
    ${sql.where([
      sql`bucket = ${page.bucket} and principal_id = ${page.principalId}`,
      whenGiven(page.before, (id) => sql`id < ${id}`),
    ])}
    order by id desc
    ${atMost(page.limit + 1)}`);
}

/**
 * Revokes a token permanently; the time of the first revocation stays. Its lock waits for the writes that the
 * token has begun, which lock it with `for key share`.
 */
export function setTokenRevoked(tx: Tx, bucket: number, id: string, now: Date): Promise<number> {
  return tx.run(sql`
    with valid as (
      select id
      from tokens
      where bucket = ${bucket} and id = ${id} and revoked_at is null
      for update
    )
    update tokens
    set revoked_at = ${now.toISOString()}
    where bucket = ${bucket} and id in (select id from valid) and revoked_at is null`);
}

/**
 * Revokes a token and all tokens issued from it as far as this statement sees them, and returns how many were
 * still valid. Each token is locked: a token that is being issued from one of them either commits first and
 * is found by the next call, or is refused (`insertToken`). The whole tree is revoked once a call returns 0.
 */
export async function setTokenTreeRevoked(
  tx: Tx,
  bucket: number,
  id: string,
  now: Date,
): Promise<number> {
  const row = await tx.first(sql<{ valid: number }>`
    with recursive tree as (
      select id, revoked_at
      from tokens
      where bucket = ${bucket} and id = ${id}
      union all
      select t.id, t.revoked_at
      from tree
      join tokens t on t.bucket = ${bucket} and t.issuer_token_id = tree.id
    ),
    locked as (
      select id
      from tokens
      where bucket = ${bucket} and id in (select id from tree where revoked_at is null)
      order by id
      for update
    ),
    revoked as (
      update tokens
      set revoked_at = ${now.toISOString()}
      where bucket = ${bucket} and id in (select id from locked) and revoked_at is null
    )
    select count(*)::integer as valid
    from tree
    where revoked_at is null`);
  return row?.valid ?? 0;
}

/** Revokes every token of every account, for the operator, and returns how many were valid. */
export async function setAllTokensRevoked(
  ask: <R>(statement: Statement<R>) => Promise<R[]>,
  now = new Date(),
): Promise<number> {
  const [row] = await ask(sql<{ revoked: number }>`
    -- every bucket: the restore runs it, while no server uses the database
    with revoked as (
      update tokens
      set revoked_at = ${now.toISOString()}
      where revoked_at is null
      returning id
    )
    select count(*)::integer as revoked from revoked`);
  return row?.revoked ?? 0;
}
