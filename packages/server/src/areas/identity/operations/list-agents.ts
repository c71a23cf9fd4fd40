// GET /v1/agents: the agents of the caller.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listAgents as findAgents } from '../queries/index.ts';
import { principalView } from '../views.ts';

export const listAgents = implement(operations.listAgents)(async ({ db, caller }, { query }) => {
  const limit = limitOf(query);
  const rows = await findAgents(db, {
    bucket: caller.bucket,
    ownerId: caller.id,
    deindexedToo: true,
    before: query.cursor,
    limit,
  });
  return {
    status: 200,
    body: pageOf(rows, limit, { view: principalView, cursor: (row) => row.id }),
  };
});
