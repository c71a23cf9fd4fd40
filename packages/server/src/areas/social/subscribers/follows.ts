// The subscriber that deletes the follows of a closed account and its agents, on both sides.
import type { Tx } from '#database';
import { keyOf } from '#lib/id';
import type { PrincipalClosed, Subscriber, SubscriberServices } from '#outbox';
import { followChanged } from '../outbox/follows.ts';
import { listTreated } from '../queries/comment-treatments.ts';
import { deleteFollowersOf, deleteFollowsOf, lockClosed } from '../queries/follows.ts';
import type { Pair } from '../queries/follows.ts';

/** The copies are in as many buckets. */
const batchSize = 100;

/** Deletes page by page what `some` finds, and appends a message for each follow that ended. */
async function forget(
  some: (tx: Tx, limit: number) => Promise<readonly string[]>,
  pairOf: (id: string) => Pair,
  { db, now }: SubscriberServices,
): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize;) {
    deleted = await db.transaction(async (tx) => {
      const ids = await some(tx, batchSize);
      for (const id of ids) followChanged(tx, pairOf(id), now());
      return ids.length;
    });
  }
}

async function forgetAll(id: string, services: SubscriberServices): Promise<void> {
  await services.db.transaction((tx) => lockClosed(tx, id));
  await forget(
    (tx, limit) => deleteFollowsOf(tx, id, limit),
    (followeeId) => ({ followerId: id, followeeId }),
    services,
  );
  await forget(
    (tx, limit) => deleteFollowersOf(tx, id, limit),
    (followerId) => ({ followerId, followeeId: id }),
    services,
  );
}

export const forgetFollows: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetFollows',
  run: async ({ payload: { principal_id: id } }, services) => {
    for (const one of await listTreated(services.db, keyOf(id))) await forgetAll(one, services);
  },
};
