// GET /v1/articles/{id}/stances: how many comments take each stance, and how many persons stand behind them.
import { operations } from '@colophon/contract';
import { auditedRead, requireReadable } from '#articles';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { countStances, findArticle } from '../queries/index.ts';
import { subjectOf } from '../rules/comments.ts';
import { stancesView, stanceInput } from '../views/stances.ts';

export const readStances = implement(operations.readStances)(async (
  { db, caller, problem },
  { params },
) => {
  const place = keyOf(params.id);
  const [article, rows] = await Promise.all([
    findArticle(db, place),
    countStances(db, place, stanceInput),
  ]);
  const subject = article && subjectOf(article);
  requireReadable(problem, subject, caller);
  return {
    status: 200,
    body: stancesView(rows),
    ...auditedRead(caller, [{ ...subject, id: params.id }]),
    shared: subject.status === 'published' && subject.visibility === 'public',
  };
});
