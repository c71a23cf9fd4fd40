// GET /v1/moderation/actions: the public list of actions and reasons, without targets and names.
import { operations } from '@colophon/contract';
import type { QueryOf } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listStatements } from '../queries/index.ts';
import { monthOf, positionOf, wantsCsv } from '../rules/statements.ts';
import { csvType, cursorAfter, statementsCsv, statementView } from '../views/statements.ts';

type Query = QueryOf<typeof operations.listModerationStatements>;

/** Whether the request filters a list that it does not bound by a month. */
function isUnbounded({ month, target_type, action, reason_code, source }: Query): boolean {
  const filters = [target_type, action, reason_code, source];
  return month === undefined && filters.some((value) => value !== undefined);
}

export const listModerationStatements = implement(operations.listModerationStatements)(async (
  { db, mediaType, now, problem },
  { query },
) => {
  if (isUnbounded(query))
    throw problem(
      'invalid-request',
      'A filter needs the parameter month: send the month to search, such as month=2026-01.',
    );
  const limit = limitOf(query);
  const before = query.cursor === undefined ? undefined : positionOf(query.cursor);
  const rows = await listStatements(db, {
    before,
    limit,
    month: query.month === undefined ? undefined : monthOf(query.month, now),
    targetType: query.target_type,
    action: query.action,
    reasonCode: query.reason_code,
    source: query.source,
  });
  const body = pageOf(rows, limit, { view: statementView, cursor: cursorAfter });
  const answer = { status: 200, body, shared: true } as const;
  if (!wantsCsv(query.format, mediaType)) return answer;
  return { ...answer, otherwise: { contentType: csvType, payload: statementsCsv(body.items) } };
});
