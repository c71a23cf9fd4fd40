// Statements on principals: creating people and agents, and reading any principal.
import type { Treatment } from '@colophon/contract';
import { atMost, whenGiven, namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import type { RowKey } from '#lib/id';
import type { NewToken } from './tokens.ts';

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
  readonly closed_at: string | null;
  /** The treatment of a closed account's works. */
  readonly treatment: Treatment | null;
}

export const principalColumns = sql`
    p.id, p.kind, p.username, p.display_name, p.bio, p.created_at, p.owner_principal_id, p.model,
    p.provider, p.trust_level, p.status, p.closed_at, p.treatment`;

export interface NewHuman extends RowKey {
  readonly username: string;
  readonly skeleton: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly now: Date;
}

/**
 * Inserts name, person and first token in one statement. Fails with usernames_skeleton_pkey when the name is
 * taken.
 */
export function insertHuman(tx: Tx, human: NewHuman, token: NewToken): Promise<number> {
  const now = human.now.toISOString();
  return tx.run(sql`
    with name as (
      insert into usernames (bucket, skeleton, username, principal_id, created_at)
      values (${human.bucket}, ${human.skeleton}, ${human.username}, ${human.id}, ${now})
    ), person as (
      insert into principals
        (bucket, id, kind, username, display_name, email, unused, created_at)
      values (
        ${human.bucket}, ${human.id}, 'human', ${human.username}, ${human.displayName},
        ${human.email}, true, ${now}
      )
    )
    insert into tokens (bucket, id, principal_id, hash, name, prefix, scopes, created_at)
    values (
      ${token.bucket}, ${token.id}, ${token.principalId}, ${token.hash}, ${token.name},
      ${token.prefix}, ${token.scopes}, ${now}
    )`);
}

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

/** Inserts name and person, who has a passkey. Fails with usernames_skeleton_pkey when the name is taken. */
export function insertPerson(tx: Tx, human: Omit<NewHuman, 'email'>): Promise<number> {
  const now = human.now.toISOString();
  return tx.run(sql`
    with name as (
      insert into usernames (bucket, skeleton, username, principal_id, created_at)
      values (${human.bucket}, ${human.skeleton}, ${human.username}, ${human.id}, ${now})
    )
    insert into principals (bucket, id, kind, username, display_name, unused, created_at)
    values (
      ${human.bucket}, ${human.id}, 'human', ${human.username}, ${human.displayName}, false, ${now}
    )`);
}

export function findPrincipal(
  db: Db,
  bucket: number,
  id: string,
): Promise<PrincipalRow | undefined> {
  return db.first(sql<PrincipalRow>`
    select ${principalColumns}
    from principals p
    where p.bucket = ${bucket} and p.id = ${id}`);
}

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
