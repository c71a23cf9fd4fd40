// Statements that add scopes to existing tokens and remove them.
import type { Scope } from '@colophon/contract';
import { sql } from '#database';
import type { Tx } from '#database';
import type { RowKey } from '#lib/id';
import type { TokenRow } from './tokens.ts';

export interface Grant {
  readonly bucket: number;
  /** Id of the token. */
  readonly id: string;
  readonly principalId: string;
  readonly scopes: readonly Scope[];
  readonly now: Date;
}

/**
 * Adds scopes to a token of the principal; returns undefined when it is not valid or already has them all.
 */
export function setScopesAdded(tx: Tx, grant: Grant): Promise<TokenRow | undefined> {
  return tx.first(sql<TokenRow>`
    update tokens
    set scopes = scopes || array(
      select scope
      from unnest(${grant.scopes}::text[]) with ordinality as added (scope, place)
      where scope <> all (scopes)
      order by place
    )
    where bucket = ${grant.bucket}
      and id = ${grant.id}
      and principal_id = ${grant.principalId}
      and revoked_at is null
      and (expires_at is null or expires_at > ${grant.now.toISOString()})
      and not scopes @> ${grant.scopes}::text[]
    returning id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at,
      issuer_token_id`);
}

/** Returns the token if it is valid. */
export function findWorkingToken(tx: Tx, grant: Grant): Promise<TokenRow | undefined> {
  return tx.first(sql<TokenRow>`
    select id, principal_id, name, prefix, scopes, created_at, last_used_at, expires_at, revoked_at,
      issuer_token_id
    from tokens
    where bucket = ${grant.bucket}
      and id = ${grant.id}
      and principal_id = ${grant.principalId}
      and revoked_at is null
      and (expires_at is null or expires_at > ${grant.now.toISOString()})`);
}

/**
 * Removes scopes from every token of a principal and returns how many tokens changed. The statement does not
 * see a token that is being issued concurrently from one of them, so it is repeated until no token has the
 * scopes.
 */
export async function setScopesRemoved(
  tx: Tx,
  principal: RowKey,
  scopes: readonly Scope[],
): Promise<number> {
  const removed = await tx.run(sql`
    update tokens
    set scopes = array(
      select scope
      from unnest(scopes) with ordinality as held (scope, place)
      where scope <> all (${scopes}::text[])
      order by place
    )
    where bucket = ${principal.bucket}
      and principal_id = ${principal.id}
      and scopes && ${scopes}::text[]`);
  return removed === 0 ? 0 : removed + (await setScopesRemoved(tx, principal, scopes));
}
