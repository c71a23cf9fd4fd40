// Statements on one principal: creating people and agents with their names, reading one, and changing a profile.
import type { AnswerOf, operations, Treatment } from '@colophon/contract';
import { justFirst, readById, readsFor, sql } from '#database';
import type { Db, Tx } from '#database';
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

export interface NewName {
  readonly bucket: number;
  readonly skeleton: string;
  readonly username: string;
  readonly principalId: string;
  readonly now: Date;
}

/** Fails with usernames_skeleton_pkey when the name is taken. */
export function insertUsername(tx: Tx, name: NewName): Promise<number> {
  return tx.run(sql`
    insert into usernames (bucket, skeleton, username, principal_id, created_at)
    values (
      ${name.bucket}, ${name.skeleton}, ${name.username}, ${name.principalId},
      ${name.now.toISOString()}
    )`);
}

/**
 * Deletes the name of a closed account once its reservation has ended; runs before the name is inserted
 * again.
 */
export function deleteLapsedUsername(
  tx: Tx,
  name: Pick<NewName, 'bucket' | 'skeleton' | 'now'>,
): Promise<number> {
  return tx.run(sql`
    delete from usernames
    where bucket = ${name.bucket}
      and skeleton = ${name.skeleton}
      and reserved_until <= ${name.now.toISOString()}`);
}

interface NameRow {
  readonly username: string;
  readonly principal_id: string;
  /** Set when the account was closed; until then the name cannot be taken. */
  readonly reserved_until: string | null;
}

const nameOfSkeleton = readById(
  (bucket, skeleton) => sql<NameRow>`
    select username, principal_id, reserved_until
    from usernames
    where bucket = ${bucket} and skeleton = ${skeleton}`,
);

export function findUsername(
  db: Db,
  bucket: number,
  skeleton: string,
): Promise<NameRow | undefined> {
  return db.find(nameOfSkeleton, { bucket, id: skeleton });
}

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

type Shown = AnswerOf<typeof operations.readPrincipal>['body'];

export interface ProfileRow extends PrincipalRow {
  readonly articles_count: number;
  readonly followers_count: number;
  readonly following_count: number;
  readonly moderation: NonNullable<Shown['moderation']> | null;
}

/** Each count reads its own index and stops at `most`, so that a large count does not slow the read. */
const countColumns = (most: number) => sql`
    (
      select count(one)::integer
      from (
        select 1 as one
        from articles a
        where a.bucket = p.bucket and a.author_id = p.id and a.listed
        ${justFirst(most)}
      ) as counted
    ) as articles_count,
    (
      select count(one)::integer
      from (
        select 1 as one
        from followers f
        where f.bucket = p.bucket and f.followee_id = p.id
        ${justFirst(most)}
      ) as counted
    ) as followers_count,
    (
      select count(one)::integer
      from (
        select 1 as one
        from follows f
        where f.bucket = p.bucket and f.follower_id = p.id
        ${justFirst(most)}
      ) as counted
    ) as following_count`;

/** Actions are read only for an account with an action in force. */
const moderationColumn = sql`
    case when p.deindexed or p.status = 'suspended' then (
      select json_build_object(
        'action_id', m.id, 'action', m.action, 'reason_code', m.reason_code, 'source', m.source,
        'created_at', to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from moderation_actions m
      where m.bucket = p.bucket
        and m.target_type = 'principal'
        and m.target_id = p.id
        and m.action in ('suspend', 'de-index')
        and m.lifted_at is null
      order by m.id desc
      limit 1
    ) end as moderation`;

const profileColumns = (most: number) => sql`
    ${principalColumns}, ${countColumns(most)}, ${moderationColumn}`;

const profileUpTo = readsFor((countsMax: number) =>
  readById(
    (bucket, id) => sql<ProfileRow>`
    select ${profileColumns(countsMax)}
    from principals p
    where p.bucket = ${bucket} and p.id = ${id}`,
  ),
);

export function findProfile(
  db: Db,
  key: RowKey,
  countsMax: number,
): Promise<ProfileRow | undefined> {
  return db.find(profileUpTo(countsMax), key);
}

export interface ProfileChange extends RowKey {
  /** The caller: the principal itself, or its owner. */
  readonly by: string;
  /** undefined keeps the value, null clears it. */
  readonly displayName: string | null | undefined;
  readonly bio: string | null | undefined;
  readonly countsMax: number;
}

/**
 * Changes the given members; returns undefined when no such principal exists or the caller may not change it.
 */
export function setProfile(tx: Tx, change: ProfileChange): Promise<ProfileRow | undefined> {
  return tx.first(sql<ProfileRow>`
    update principals p
    set display_name = case
        when ${change.displayName !== undefined} then ${change.displayName ?? null}
        else p.display_name
      end,
      bio = case when ${change.bio !== undefined} then ${change.bio ?? null} else p.bio end,
      unused = false
    where p.bucket = ${change.bucket}
      and p.id = ${change.id}
      and p.status <> 'closed'
      and ${change.by} in (p.id, p.owner_principal_id)
    returning ${profileColumns(change.countsMax)}`);
}
