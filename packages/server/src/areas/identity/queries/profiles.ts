// Statements on profiles: principals with their counts, and changes by those who may make them.
import { justFirst, sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { principalColumns } from './principals.ts';
import type { PrincipalRow } from './principals.ts';

export interface ProfileRow extends PrincipalRow {
  readonly articles_count: number;
  readonly followers_count: number;
  readonly following_count: number;
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

export function findProfile(
  db: Db,
  { bucket, id }: RowKey,
  countsMax: number,
): Promise<ProfileRow | undefined> {
  return db.first(sql<ProfileRow>`
    select ${principalColumns}, ${countColumns(countsMax)}
    from principals p
    where p.bucket = ${bucket} and p.id = ${id}`);
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
      bio = case when ${change.bio !== undefined} then ${change.bio ?? null} else p.bio end
    where p.bucket = ${change.bucket}
      and p.id = ${change.id}
      and p.status <> 'closed'
      and ${change.by} in (p.id, p.owner_principal_id)
    returning ${principalColumns}, ${countColumns(change.countsMax)}`);
}
