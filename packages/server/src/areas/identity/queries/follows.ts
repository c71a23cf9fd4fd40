// Statements on who follows whom, with the principals at the far end.
import { atMost, sql } from '#database';
import type { Db } from '#database';
import { bucketOf } from '#lib/id';
import { principalColumns } from './principals.ts';
import type { PrincipalRow } from './principals.ts';

export interface FollowRow {
  readonly follow_id: string;
  readonly principal_id: string;
}

export interface FollowPage {
  readonly bucket: number;
  readonly id: string;
  readonly before: string | undefined;
  readonly limit: number;
}

export function listFollowerIds(db: Db, page: FollowPage): Promise<readonly FollowRow[]> {
  return db.rows(sql<FollowRow>`
    select follow_id, follower_id as principal_id
    from followers
    where bucket = ${page.bucket}
      and followee_id = ${page.id}
      and (${page.before ?? null}::text is null or follow_id < ${page.before ?? null})
    order by follow_id desc
    ${atMost(page.limit + 1)}`);
}

export function listFollowedIds(db: Db, page: FollowPage): Promise<readonly FollowRow[]> {
  return db.rows(sql<FollowRow>`
    select follow_id, followee_id as principal_id
    from follows
    where bucket = ${page.bucket}
      and follower_id = ${page.id}
      and (${page.before ?? null}::text is null or follow_id < ${page.before ?? null})
    order by follow_id desc
    ${atMost(page.limit + 1)}`);
}

/** The principals of a page, wherever they live, in the order of the page. The closed and the de-indexed are left out. */
export function listPrincipals(db: Db, ids: readonly string[]): Promise<readonly PrincipalRow[]> {
  return db.rows(sql<PrincipalRow>`
    select ${principalColumns}
    from unnest(${ids.map(bucketOf)}::smallint[], ${ids}::text[]) with ordinality as wanted (bucket, id, place)
    join principals p on p.bucket = wanted.bucket and p.id = wanted.id
    where (p.status <> 'closed' or p.treatment = 'pseudonymise') and not p.deindexed
    order by wanted.place`);
}
