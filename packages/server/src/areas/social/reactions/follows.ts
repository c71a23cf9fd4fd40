// What becomes of follows when an account closes: they go, on both sides.
import type { PrincipalClosed, Reaction } from '#outbox';
import { deleteFollowersOf, deleteFollowsOf, lockClosed } from '../queries/follows.ts';

/** Their copies lie in as many buckets. */
const batchSize = 100;

export const forgetFollows: Reaction<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetFollows',
  run: async ({ payload }, { db }) => {
    const id = payload.principal_id;
    await db.transaction((tx) => lockClosed(tx, id));
    for (const some of [deleteFollowsOf, deleteFollowersOf]) {
      for (let deleted = batchSize; deleted === batchSize;)
        deleted = await db.transaction((tx) => some(tx, id, batchSize));
    }
  },
};
