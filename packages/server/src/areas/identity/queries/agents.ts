// Statements on agents: creating one, and listing those of an owner.
import { atMost, given, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { principalColumns } from './principals.ts';
import type { PrincipalRow } from './principals.ts';

/** The bucket is that of the owner. */
export interface NewAgent extends RowKey {
  readonly username: string;
  readonly ownerId: string;
  readonly displayName: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly now: Date;
}

/** The owner is locked until the commit, so that a closed or suspended owner gets no agent: then 0 rows. */
export function insertAgent(tx: Tx, agent: NewAgent): Promise<number> {
  return tx.run(sql`
    with owner as (
      select id
      from principals
      where bucket = ${agent.bucket} and id = ${agent.ownerId} and kind = 'human' and status = 'active'
      for share
    )
    insert into principals (
      bucket, id, kind, username, display_name, owner_principal_id, model, provider, created_at
    )
    select
      ${agent.bucket}::smallint, ${agent.id}, 'agent', ${agent.username}, ${agent.displayName}, owner.id,
      ${agent.model}, ${agent.provider}, ${agent.now.toISOString()}::timestamptz
    from owner`);
}

export interface AgentPage {
  readonly bucket: number;
  readonly ownerId: string;
  /** Whether to include de-indexed agents: only for the owner. */
  readonly deindexedToo: boolean;
  readonly before: string | undefined;
  readonly limit: number;
}

export function listAgents(db: Db, page: AgentPage): Promise<readonly PrincipalRow[]> {
  return db.rows(sql<PrincipalRow>`
    select ${principalColumns}
    from principals p
    ${sql.where([
      sql`p.bucket = ${page.bucket} and p.owner_principal_id = ${page.ownerId}`,
      sql`(p.status <> 'closed' or p.treatment = 'pseudonymise')`,
      sql`(${page.deindexedToo} or not p.deindexed)`,
      given(page.before, (id) => sql`p.id < ${id}`),
    ])}
    order by p.id desc
    ${atMost(page.limit + 1)}`);
}
