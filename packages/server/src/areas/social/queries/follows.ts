// Statements on follows and their copies in the followee's bucket. The follower's row is written first.
import { namedIds, sql } from '#database';
import type { Db, Tx } from '#database';
import { bucketOf } from '#lib/id';
import { timestamp } from '#lib/timestamp';

export interface Pair {
  readonly followerId: string;
  readonly followeeId: string;
}

export interface NewFollow extends Pair {
  readonly id: string;
  readonly now: Date;
}

export interface FollowRow {
  readonly follow_id: string;
  readonly created_at: string;
}

/**
 * Inserts a follow and returns it, or the existing one; undefined when the follower's account is closed. The
 * lock conflicts only with the closing of the account.
 */
export function insertFollow(tx: Tx, follow: NewFollow): Promise<FollowRow | undefined> {
  return tx.first(sql<FollowRow>`
    insert into follows as f (bucket, follower_id, followee_id, follow_id, created_at)
    select p.bucket, p.id, ${follow.followeeId}, ${follow.id}, ${timestamp(follow.now)}
    from principals p
    where p.bucket = ${bucketOf(follow.followerId)}
      and p.id = ${follow.followerId}
      and p.status <> 'closed'
      and p.closed_at is null
    for key share
    on conflict on constraint follows_followee_id_pkey do update
    set created_at = f.created_at
    returning f.follow_id, f.created_at`);
}

/** Inserts the copy in the followee's bucket; 0 when no open account has this id. */
export function insertFollower(tx: Tx, follow: NewFollow): Promise<number> {
  return tx.run(sql`
    insert into followers as f (bucket, followee_id, follower_id, follow_id, created_at)
    select p.bucket, p.id, ${follow.followerId}, ${follow.id}, ${timestamp(follow.now)}
    from principals p
    where p.bucket = ${bucketOf(follow.followeeId)}
      and p.id = ${follow.followeeId}
      and p.status <> 'closed'
      and p.closed_at is null
    for key share
    on conflict on constraint followers_follower_id_pkey do update
    set created_at = f.created_at`);
}

/** Whether one participant follows another. */
export async function existsFollow(db: Db, { followerId, followeeId }: Pair): Promise<boolean> {
  const row = await db.first(sql<{ follow_id: string }>`
    select follow_id
    from follows
    where bucket = ${bucketOf(followerId)}
      and follower_id = ${followerId}
      and followee_id = ${followeeId}`);
  return row !== undefined;
}

/** Deletes a follow; 0 when there was none. */
export function deleteFollow(tx: Tx, pair: Pair): Promise<number> {
  return tx.run(sql`
    delete from follows
    where bucket = ${bucketOf(pair.followerId)}
      and follower_id = ${pair.followerId}
      and followee_id = ${pair.followeeId}`);
}

export function deleteFollower(tx: Tx, pair: Pair): Promise<number> {
  return tx.run(sql`
    delete from followers
    where bucket = ${bucketOf(pair.followeeId)}
      and followee_id = ${pair.followeeId}
      and follower_id = ${pair.followerId}`);
}

/** Waits for concurrent writes of follows by or to a closed account; new ones cannot begin. */
export function lockClosed(tx: Tx, id: string): Promise<number> {
  return tx.run(sql`
    select id
    from principals
    where bucket = ${bucketOf(id)} and id = ${id}
    for update`);
}

/** Deletes some of a principal's follows with their copies, and returns the followees. */
export async function deleteFollowsOf(
  tx: Tx,
  id: string,
  limit: number,
): Promise<readonly string[]> {
  const gone = await tx.rows(sql<{ followee_id: string }>`
    with page as materialized (
      select bucket, follower_id, followee_id
      from follows
      where bucket = ${bucketOf(id)} and follower_id = ${id}
      order by followee_id
      limit ${limit}
    )
    delete from follows
    using page
    where follows.bucket = page.bucket
      and follows.follower_id = page.follower_id
      and follows.followee_id = page.followee_id
    returning follows.followee_id`);
  const ids = gone.map((row) => row.followee_id);
  if (ids.length === 0) return ids;
  void tx.run(sql`
    delete from followers
    using ${namedIds(ids)}
    where followers.bucket = named.bucket
      and followers.followee_id = named.id
      and followers.follower_id = ${id}`);
  return ids;
}

/** Deletes some of a principal's followers with the followers' own rows, and returns the followers. */
export async function deleteFollowersOf(
  tx: Tx,
  id: string,
  limit: number,
): Promise<readonly string[]> {
  const some = await tx.rows(sql<{ follower_id: string }>`
    select follower_id
    from followers
    where bucket = ${bucketOf(id)} and followee_id = ${id}
    order by follower_id
    limit ${limit}`);
  const ids = some.map((row) => row.follower_id);
  if (ids.length === 0) return ids;
  void tx.run(sql`
    delete from follows
    using ${namedIds(ids)}
    where follows.bucket = named.bucket
      and follows.follower_id = named.id
      and follows.followee_id = ${id}`);
  void tx.run(sql`
    delete from followers
    where bucket = ${bucketOf(id)}
      and followee_id = ${id}
      and follower_id = any(${ids})`);
  return ids;
}
