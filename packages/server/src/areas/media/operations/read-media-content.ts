// GET /v1/media/{id}/content: the bytes, also for those who may read bytes that are not public.
import { operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findServed } from '../queries/index.ts';
import { auditedRead, chosenBytes, requireKnown, requireServed } from '../rules/media.ts';
import { bytesView } from '../views.ts';

export const readMediaContent = implement(operations.readMediaContent)(async (
  { db, caller, problem },
  { params, query },
) => {
  const key = keyOf(params.id);
  const width = query.w ?? null;
  const row = await findServed(db, key, width);
  requireKnown(problem, row, caller);
  requireServed(problem, row, caller);
  const bytes = bytesView(row, chosenBytes(problem, row, width));
  return { status: 200, body: undefined, bytes, ...auditedRead(row, caller, true) };
});
