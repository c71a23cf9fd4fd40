// GET /v1/exports: the exports of the caller and of the caller's agents, newest first.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listOwnExports } from '../queries/index.ts';
import { exportView } from '../views.ts';

export const listExports = implement(operations.listExports)(async (
  { db, caller, config, now },
  { query },
) => {
  const limit = limitOf(query);
  const agentsToo = caller.scopes.includes('agents:read');
  const rows = await listOwnExports(db, caller, { before: query.cursor, limit, agentsToo });
  const view = (row: (typeof rows)[number]) => exportView(row, config, now);
  return { status: 200, body: pageOf(rows, limit, { view, cursor: (row) => row.id }) };
});
