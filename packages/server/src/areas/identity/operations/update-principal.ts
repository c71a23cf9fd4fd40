// PATCH /v1/principals/{id}: changes the profile of the caller, or of an agent that the caller owns.
import { limits, operations } from '@colophon/contract';
import type { Tx } from '#database';
import { implement, invalid } from '#http';
import type { Problems } from '#http';
import { bucketOf, keyOf } from '#lib/id';
import { principalChanged } from '../outbox.ts';
import { findPrincipal, setProfile } from '../queries/index.ts';
import { lineFaults } from '../rules/username.ts';
import { profileView } from '../views.ts';

/** Returns the reason why nothing was changed: no such principal, or not the caller's. */
async function refusal(tx: Tx, id: string, problem: Problems<'not-found' | 'forbidden'>) {
  const row = await findPrincipal(tx, bucketOf(id), id);
  if (row === undefined || row.status === 'closed')
    return problem('not-found', 'No principal has this id.');
  return problem('forbidden', 'You can change your own profile and those of agents that you own.');
}

export const updatePrincipal = implement(operations.updatePrincipal)(async (
  { tx, caller, problem, now },
  { params, body },
) => {
  const faults = lineFaults({ display_name: body.display_name });
  if (faults.length > 0) throw invalid(faults);
  const row = await setProfile(tx, {
    bucket: bucketOf(params.id),
    id: params.id,
    by: caller.id,
    displayName: body.display_name,
    bio: body.bio,
    countsMax: limits.counts_max,
  });
  if (row === undefined) throw await refusal(tx, params.id, problem);
  principalChanged(tx, keyOf(row.id), now);
  return { status: 200, body: profileView(row, caller) };
});
