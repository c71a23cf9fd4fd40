// GET /v1/principals/{id}: a person or an agent, with counts.
import { limits, operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findProfile } from '../queries/index.ts';
import { requireShown } from '../rules/identity.ts';
import { profileView } from '../views.ts';

export const readPrincipal = implement(operations.readPrincipal)(async (
  { db, caller, problem },
  { params },
) => {
  const key = keyOf(params.id);
  const row = await findProfile(db, key, limits.counts_max);
  requireShown(problem, row);
  return { status: 200, body: profileView(row, caller), shared: true };
});
