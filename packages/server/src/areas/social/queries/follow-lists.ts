// Statements on the pages of a principal's follows, in both directions.
import { atMost, whenGiven, justFirst, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

export interface FollowPosition {
  readonly follow_id: string;
  readonly principal_id: string;
}

export interface FollowPage extends RowKey {
  readonly before: string | undefined;
  readonly limit: number;
}

export function listFollowerIds(db: Db, page: FollowPage): Promise<readonly FollowPosition[]> {
  return db.rows(sql<FollowPosition>`
    select follow_id, follower_id as principal_id
    from followers
    ${sql.where([
      sql`bucket = ${page.bucket} and followee_id = ${page.id}`,
      whenGiven(page.before, (id) => sql`follow_id < ${id}`),
    ])}
    order by follow_id desc
    ${atMost(page.limit + 1)}`);
}

export function listFollowedIds(db: Db, page: FollowPage): Promise<readonly FollowPosition[]> {
  return db.rows(sql<FollowPosition>`
    select follow_id, followee_id as principal_id
    from follows
    ${sql.where([
      sql`bucket = ${page.bucket} and follower_id = ${page.id}`,
      whenGiven(page.before, (id) => sql`follow_id < ${id}`),
    ])}
    order by follow_id desc
    ${atMost(page.limit + 1)}`);
}

export interface OwnFollowRow {
  readonly follow_id: string;
  readonly followee_id: string;
  readonly created_at: string;
}

/** Lists the follows of a participant with their times, newest first. */
export function listFollowsOf(
  db: Db,
  follower: RowKey,
  before: string | undefined,
  limit: number,
): Promise<readonly OwnFollowRow[]> {
  return db.rows(sql<OwnFollowRow>`
    select follow_id, followee_id, created_at
    from follows
    ${sql.where([
      sql`bucket = ${follower.bucket} and follower_id = ${follower.id}`,
      whenGiven(before, (id) => sql`follow_id < ${id}`),
    ])}
    order by follow_id desc
    ${justFirst(limit)}`);
}
