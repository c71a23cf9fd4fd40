// GET /v1/principals/{id}/following: whom a principal follows.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { bucketOf } from '#lib/id';
import { findPrincipal, listFollowedIds, listPrincipals } from '../queries/index.ts';
import { requireShown } from '../rules.ts';
import { principalView } from '../views.ts';

export const listFollowing = implement(operations.listFollowing)(async (
  { db, problem },
  { params, query },
) => {
  const bucket = bucketOf(params.id);
  const limit = limitOf(query);
  const [principal, rows] = await Promise.all([
    findPrincipal(db, bucket, params.id),
    listFollowedIds(db, { bucket, id: params.id, before: query.cursor, limit }),
  ]);
  requireShown(problem, principal);
  const { items: ids, next_cursor } = pageOf(rows, limit, {
    view: (row) => row.principal_id,
    cursor: (row) => row.follow_id,
  });
  const shown = await listPrincipals(db, ids);
  return { status: 200, body: { items: shown.map(principalView), next_cursor }, shared: true };
});
