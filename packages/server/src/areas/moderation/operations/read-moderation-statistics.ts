// GET /v1/moderation/statistics: the counts of actions, appeals and upheld appeals in a month.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { countStatements } from '../queries/index.ts';
import { monthOf, wantsCsv } from '../rules/statements.ts';
import { countsCsv, countView, csvType } from '../views/statements.ts';

export const readModerationStatistics = implement(operations.readModerationStatistics)(async (
  { db, mediaType, now },
  { query },
) => {
  const { month, from, until } = monthOf(query.month, now);
  const items = (await countStatements(db, from, until)).map(countView);
  const answer = { status: 200, body: { month, items }, shared: true } as const;
  if (!wantsCsv(query.format, mediaType)) return answer;
  return { ...answer, otherwise: { contentType: csvType, payload: countsCsv(month, items) } };
});
