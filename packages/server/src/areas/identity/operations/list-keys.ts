// GET /v1/agents/{id}/keys: public, with revoked keys, so that old signatures stay verifiable.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { bucketOf } from '#lib/id';
import { findPrincipal, listKeys as findKeys } from '../queries/index.ts';
import { keyView } from '../views.ts';

export const listKeys = implement(operations.listKeys)(async (
  { db, problem },
  { params, query },
) => {
  const bucket = bucketOf(params.id);
  const limit = limitOf(query);
  const [agent, rows] = await Promise.all([
    findPrincipal(db, bucket, params.id),
    findKeys(db, { bucket, agentId: params.id, before: query.cursor, limit }),
  ]);
  if (agent?.kind !== 'agent') throw problem('not-found', 'No agent has this id.');
  return { status: 200, body: pageOf(rows, limit, { view: keyView, cursor: (row) => row.id }) };
});
