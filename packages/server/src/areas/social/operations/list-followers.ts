// GET /v1/principals/{id}/followers: the followers of a principal.
import { operations } from '@colophon/contract';
import type { ParamsOf, QueryOf } from '@colophon/contract';
import type { Db } from '#database';
import { implement, limitOf, pageOf } from '#http';
import type { Caller, Problems } from '#http';
import { bucketOf } from '#lib/id';
import { findPrincipal, listedPrincipals, requireShown } from '#identity';
import { listFollowerIds } from '../queries/index.ts';
import type { FollowPage, FollowPosition } from '../queries/index.ts';

type Either = typeof operations.listFollowers | typeof operations.listFollowing;

interface Context {
  readonly db: Db;
  readonly caller: Caller | null;
  readonly problem: Problems<'not-found' | 'gone'>;
}

interface Input {
  readonly params: ParamsOf<Either>;
  readonly query: QueryOf<Either>;
}

/**
 * Returns the implementation that lists the principals at the far ends of a principal's follows. `listIds`
 * determines the direction.
 */
export function followsFrom(
  listIds: (db: Db, page: FollowPage) => Promise<readonly FollowPosition[]>,
) {
  return async ({ db, caller, problem }: Context, { params, query }: Input) => {
    const bucket = bucketOf(params.id);
    const limit = limitOf(query);
    const [principal, rows] = await Promise.all([
      findPrincipal(db, bucket, params.id),
      listIds(db, { bucket, id: params.id, before: query.cursor, limit }),
    ]);
    requireShown(problem, principal);
    const { items: ids, next_cursor } = pageOf(rows, limit, {
      view: (row) => row.principal_id,
      cursor: (row) => row.follow_id,
    });
    const items = await listedPrincipals(db, ids, caller?.id === params.id);
    return { status: 200, body: { items, next_cursor }, shared: true } as const;
  };
}

export const listFollowers = implement(operations.listFollowers)(followsFrom(listFollowerIds));
