// Statements on the agents of an owner and their tokens.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

/** How an agent is used, by its newest tokens. */
export interface AgentUse {
  readonly id: string;
  /** Tokens that are valid now. */
  readonly tokens: number;
  readonly last_used_at: string | null;
}

/** Tokens of each agent that are looked at. */
const tokensMax = 100;

/** Returns the use of those of these agents that the owner owns. */
export function listAgentUses(
  db: Db,
  owner: RowKey,
  ids: readonly string[],
  now: Date,
): Promise<readonly AgentUse[]> {
  return db.rows(sql<AgentUse>`
    select p.id, count(*) filter (where t.valid)::integer as tokens, max(t.last_used_at) as last_used_at
    from principals p
    left join lateral (
      select
        k.last_used_at,
        k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now.toISOString()}) as valid
      from tokens k
      where k.bucket = p.bucket and k.principal_id = p.id
      order by k.id desc
      ${justFirst(tokensMax)}
    ) as t on true
    where p.bucket = ${owner.bucket} and p.owner_principal_id = ${owner.id} and p.id = any(${ids})
    group by p.id
    order by p.id`);
}

/**
 * Revokes the tokens of an agent that this statement sees, and returns how many. Each is locked, so that a token
 * that is being issued from one of them either commits first and is found by the next call, or is refused.
 */
export function setAgentTokensRevoked(tx: Tx, agent: RowKey, now: Date): Promise<number> {
  return tx.run(sql`
    with valid as (
      select id
      from tokens
      where bucket = ${agent.bucket} and principal_id = ${agent.id} and revoked_at is null
      order by id
      for update
    )
    update tokens
    set revoked_at = ${now.toISOString()}
    where bucket = ${agent.bucket} and id in (select id from valid) and revoked_at is null`);
}

/** Returns the ids of a human and its agents. */
export async function listHousehold(db: Db, { bucket, id }: RowKey): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select p.id
    from principals p
    where p.bucket = ${bucket} and (p.id = ${id} or p.owner_principal_id = ${id})`);
  return rows.map((row) => row.id);
}
