// Statements of GET /v1/home.
import { justFirst, sql } from '#database';
import type { Db } from '#database';
import type { RowKey } from '#lib/id';

/** Returns the ids of the principals that a principal followed last. */
export async function listLastFollowed(
  db: Db,
  follower: RowKey,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ followee_id: string }>`
    select followee_id
    from follows
    where bucket = ${follower.bucket} and follower_id = ${follower.id}
    order by follow_id desc
    ${justFirst(limit)}`);
  return rows.map((row) => row.followee_id);
}
