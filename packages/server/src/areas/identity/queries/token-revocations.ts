// Statements that revoke tokens: one, one with those that it issued, or all of them.
import { sql } from '#database';
import type { Statement, Tx } from '#database';

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
