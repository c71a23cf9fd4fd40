// Lists of principals: those with given ids, and the agents of an owner.
import { atMost, whenGiven, namedIds, sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import { principalColumns } from './principals.ts';
import type { PrincipalRow } from './principals.ts';

/** Returns those of these principals that others may find, ordered by id. */
export function listFindable(db: Db, ids: readonly string[]): Promise<readonly PrincipalRow[]> {
  return db.rows(sql<PrincipalRow>`
    select ${principalColumns}
    from ${namedIds(ids)}
    join principals p on p.bucket = named.bucket and p.id = named.id
    where p.status <> 'closed'
      and p.closed_at is null
      and not p.deindexed
    order by p.id`);
}

/**
 * Returns the principals with these ids, in the order of the ids and from any bucket, without closed ones, and without
 * de-indexed ones unless they are wanted too.
 */
export async function listPrincipals(
  db: Db,
  ids: readonly string[],
  deindexedToo: boolean,
): Promise<readonly PrincipalRow[]> {
  if (ids.length === 0) return [];
  return db.rows(sql<PrincipalRow>`
    select ${principalColumns}
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) with ordinality as wanted (bucket, id, place)
    join principals p on p.bucket = wanted.bucket and p.id = wanted.id
    where (p.status <> 'closed' or p.treatment = 'pseudonymise')
      and (${deindexedToo} or not p.deindexed)
    order by wanted.place`);
}

export interface AgentPage {
  readonly bucket: number;
  readonly ownerId: string;
  /** Whether to include de-indexed agents: only for the owner. */
  readonly deindexedToo: boolean;
  readonly before: string | undefined;
  readonly limit: number;
}

/** Returns the agents of an owner, newest first. */
export function listAgents(db: Db, page: AgentPage): Promise<readonly PrincipalRow[]> {
  return db.rows(sql<PrincipalRow>`
    select ${principalColumns}
    from principals p
    ${sql.where([
      sql`p.bucket = ${page.bucket} and p.owner_principal_id = ${page.ownerId}`,
      sql`(p.status <> 'closed' or p.treatment = 'pseudonymise')`,
      sql`(${page.deindexedToo} or not p.deindexed)`,
      whenGiven(page.before, (id) => sql`p.id < ${id}`),
    ])}
    order by p.id desc
    ${atMost(page.limit + 1)}`);
}
