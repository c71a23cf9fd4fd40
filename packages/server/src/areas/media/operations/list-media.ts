// GET /v1/media: the caller's own records in any state, newest first.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listOwned } from '../queries/index.ts';
import { mediaView } from '../views.ts';

export const listMedia = implement(operations.listMedia)(async (
  { db, caller, config },
  { query },
) => {
  const limit = limitOf(query);
  const rows = await listOwned(db, {
    bucket: caller.bucket,
    ownerId: caller.id,
    status: query.status,
    kind: query.kind,
    before: query.cursor,
    limit,
  });
  const view = (row: (typeof rows)[number]) => mediaView(row, config);
  return { status: 200, body: pageOf(rows, limit, { view, cursor: (row) => row.id }) };
});
