// GET /v1/moderation/history/{target_type}/{target_id}: all moderation of a target.
import { operations, targetTypes } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { bucketOf } from '#lib/id';
import { findTargets, listActions, listReportChanges } from '../queries/index.ts';
import { historyView } from '../views/actions.ts';
import type { HistoryRow } from '../views/actions.ts';

export const listModerationHistory = implement(operations.listModerationHistory)(async (
  { db, problem },
  { params, query },
) => {
  const type = targetTypes.find((one) => one === params.target_type);
  if (type === undefined)
    throw problem(
      'not-found',
      `This target type does not exist: use one of ${targetTypes.join(', ')}.`,
    );
  const reference = { target_type: type, target_id: params.target_id };
  const target = { bucket: bucketOf(params.target_id), type, id: params.target_id };
  const limit = limitOf(query);
  const page = { before: query.cursor, limit };
  const [targets, actions, changes] = await Promise.all([
    findTargets(db, [reference]),
    listActions(db, target, page),
    listReportChanges(db, target, page),
  ]);
  // Reports are accepted on targets that do not exist, and a reported target may have been deleted.
  if (targets(reference) === undefined && actions.length + changes.length === 0)
    throw problem('not-found', `No ${type} has or ever had this id.`);
  const rows: readonly HistoryRow[] = [
    ...actions.map((action) => ({ id: action.id, action })),
    ...changes.map((change) => ({ id: change.id, change })),
  ].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return {
    status: 200,
    body: pageOf(rows, limit, { view: historyView, cursor: (row) => row.id }),
  };
});
