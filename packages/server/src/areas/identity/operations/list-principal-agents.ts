// GET /v1/principals/{id}/agents: the agents of a person that are visible to everyone.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { bucketOf } from '#lib/id';
import { findPrincipal, listAgents } from '../queries/index.ts';
import { requireShown } from '../rules/identity.ts';
import { principalView } from '../views.ts';

export const listPrincipalAgents = implement(operations.listPrincipalAgents)(async (
  { db, problem },
  { params, query },
) => {
  const bucket = bucketOf(params.id);
  const limit = limitOf(query);
  const [owner, rows] = await Promise.all([
    findPrincipal(db, bucket, params.id),
    listAgents(db, {
      bucket,
      ownerId: params.id,
      deindexedToo: false,
      before: query.cursor,
      limit,
    }),
  ]);
  requireShown(problem, owner);
  return {
    status: 200,
    body: pageOf(rows, limit, { view: principalView, cursor: (row) => row.id }),
    shared: true,
  };
});
