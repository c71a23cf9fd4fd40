// Every statement on principals, usernames and tokens.
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';

export interface PrincipalRow {
  readonly id: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string | null;
  readonly bio: string | null;
  readonly created_at: string;
  readonly owner_principal_id: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly trust_level: number;
  readonly status: 'active' | 'suspended' | 'closed';
}

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
}

export interface NewHuman {
  readonly bucket: number;
  readonly id: string;
  readonly username: string;
  readonly skeleton: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly now: Date;
}

export interface NewToken {
  readonly bucket: number;
  readonly id: string;
  readonly principalId: string;
  readonly issuerTokenId: string | null;
  readonly hash: Buffer;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly now: Date;
}

/** Name, person and first token in one statement. Refused by usernames_skeleton_pkey when the name is taken. */
export function insertHuman(tx: Tx, human: NewHuman, token: NewToken): Promise<number> {
  const now = human.now.toISOString();
  return tx.run(sql`
    with name as (
      insert into usernames (bucket, skeleton, username, principal_id, created_at)
      values (${human.bucket}, ${human.skeleton}, ${human.username}, ${human.id}, ${now})
    ), person as (
      insert into principals (bucket, id, kind, username, display_name, email, created_at)
      values (
        ${human.bucket}, ${human.id}, 'human', ${human.username}, ${human.displayName},
        ${human.email}, ${now}
      )
    )
    insert into tokens (bucket, id, principal_id, hash, name, prefix, scopes, created_at)
    values (
      ${token.bucket}, ${token.id}, ${token.principalId}, ${token.hash}, ${token.name},
      ${token.prefix}, ${token.scopes}, ${now}
    )`);
}

/** The issuing token is held until the commit, so that one revoked meanwhile issues nothing: 0 rows. */
export function insertToken(tx: Tx, token: NewToken): Promise<number> {
  return tx.run(sql`
    with issuer as (
      select id
      from tokens
      where bucket = ${token.bucket} and id = ${token.issuerTokenId} and revoked_at is null
      for share
    )
    insert into tokens (
      bucket, id, principal_id, issuer_token_id, hash, name, prefix, scopes, created_at, expires_at
    )
    select
      ${token.bucket}::smallint, ${token.id}, ${token.principalId}, ${token.issuerTokenId}, ${token.hash}::bytea,
      ${token.name}, ${token.prefix}, ${token.scopes}::text[], ${token.now.toISOString()}::timestamptz,
      ${token.expiresAt}::timestamptz
    where ${token.issuerTokenId}::text is null or exists (select from issuer)`);
}

export function findPrincipal(
  db: Db,
  bucket: number,
  id: string,
): Promise<PrincipalRow | undefined> {
  return db.first(sql<PrincipalRow>`
    select
      id, kind, username, display_name, bio, created_at, owner_principal_id, model, provider,
      trust_level, status
    from principals
    where bucket = ${bucket} and id = ${id}`);
}

export function findToken(db: Db, bucket: number, id: string): Promise<TokenRow | undefined> {
  return db.first(sql<TokenRow>`
    select id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at
    from tokens
    where bucket = ${bucket} and id = ${id}`);
}

export interface TokenStanding {
  readonly principal_id: string;
  readonly issuer_token_id: string | null;
  readonly owner_principal_id: string | null;
}

export function findTokenStanding(
  db: Db,
  bucket: number,
  id: string,
): Promise<TokenStanding | undefined> {
  return db.first(sql<TokenStanding>`
    select t.principal_id, t.issuer_token_id, p.owner_principal_id
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
    select id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at
    from tokens
    where bucket = ${page.bucket}
      and principal_id = ${page.principalId}
      and (${page.before ?? null}::text is null or id < ${page.before ?? null})
    order by id desc
    limit ${page.limit + 1}`);
}

/** Revokes for ever; the time of the first revocation stays. */
export function setTokenRevoked(tx: Tx, bucket: number, id: string, now: Date): Promise<number> {
  return tx.run(sql`
    update tokens
    set revoked_at = ${now.toISOString()}
    where bucket = ${bucket} and id = ${id} and revoked_at is null`);
}

export function findUsername(
  db: Db,
  bucket: number,
  skeleton: string,
): Promise<{ username: string; principal_id: string } | undefined> {
  return db.first(sql<{ username: string; principal_id: string }>`
    select username, principal_id
    from usernames
    where bucket = ${bucket} and skeleton = ${skeleton}`);
}
