// GET /v1/moderation/appeals: the appeals of authors, oldest first.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listAppeals as listRows } from '../queries/index.ts';
import { appealView } from '../views/appeals.ts';

export const listAppeals = implement(operations.listAppeals)(async ({ db }, { query }) => {
  const limit = limitOf(query);
  const rows = await listRows(db, { status: query.status ?? 'open', after: query.cursor, limit });
  return { status: 200, body: pageOf(rows, limit, { view: appealView, cursor: ({ id }) => id }) };
});
