// GET /v1/usernames/{username}: a person or an agent by name, with counts.
import { limits, operations } from '@colophon/contract';
import { implement } from '#http';
import { keyOf } from '#lib/id';
import { findProfile, findUsername } from '../queries/index.ts';
import { closedAccount, requireShown } from '../rules/identity.ts';
import { nameOf } from '../rules/username.ts';
import { profileView } from '../views.ts';

const unknown =
  'No principal has this username. A username that only looks similar is a different name.';

export const readUsername = implement(operations.readUsername)(async (
  { db, caller, problem },
  { params },
) => {
  const name = nameOf(params.username);
  if (!name.ok) throw problem('not-found', unknown);
  const holder = await findUsername(db, name.bucket, name.skeleton);
  if (holder?.username !== name.username) throw problem('not-found', unknown);
  const id = holder.principal_id;
  const row = await findProfile(db, keyOf(id), limits.counts_max);
  requireShown(problem, row);
  // A former name never resolves to the pseudonym of its closed account.
  if (row.username !== name.username) throw closedAccount(problem, row);
  return { status: 200, body: profileView(row, caller), shared: true };
});
