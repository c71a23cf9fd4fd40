// GET /v1/audit: the audit log of privileged acts, newest first.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listAudit as listRows } from '../queries/index.ts';
import type { AuditRow } from '../queries/index.ts';

export const listAudit = implement(operations.listAudit)(async ({ db }, { query }) => {
  const limit = limitOf(query);
  const rows = await listRows(db, {
    before: query.cursor === undefined ? undefined : Number(query.cursor),
    limit,
    actor: query.actor,
    action: query.action,
    targetType: query.target_type,
    targetId: query.target_id,
  });
  const view = (row: AuditRow) => row;
  return {
    status: 200,
    body: pageOf(rows, limit, { view, cursor: ({ number }) => String(number) }),
  };
});
