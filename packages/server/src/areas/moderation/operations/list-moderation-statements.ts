// GET /v1/moderation/actions: the public list of actions and reasons, without targets and names.
import { operations } from '@colophon/contract';
import { implement, limitOf, pageOf } from '#http';
import { listStatements } from '../queries/index.ts';
import { positionOf, wantsCsv } from '../rules/statements.ts';
import { csvType, cursorAfter, statementsCsv, statementView } from '../views/statements.ts';

export const listModerationStatements = implement(operations.listModerationStatements)(async (
  { db, mediaType },
  { query },
) => {
  const limit = limitOf(query);
  const before = query.cursor === undefined ? undefined : positionOf(query.cursor);
  const rows = await listStatements(db, { before, limit });
  const body = pageOf(rows, limit, { view: statementView, cursor: cursorAfter });
  const answer = { status: 200, body, shared: true } as const;
  if (!wantsCsv(query.format, mediaType)) return answer;
  return { ...answer, otherwise: { contentType: csvType, payload: statementsCsv(body.items) } };
});
