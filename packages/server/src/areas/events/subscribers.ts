// Deletes the events of an account when it closes.
import { closeCounter, deleteEvents } from '#event-log';
import type { PrincipalClosed, Subscriber } from '#outbox';

const batchSize = 1_000;

/**
 * No event can be written any more before the first is deleted. Works in batches, so that it can be
 * interrupted.
 */
const forgetEvents: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetEvents',
  run: async ({ payload }, { db }) => {
    const id = payload.principal_id;
    await db.transaction((tx) => closeCounter(tx, id));
    for (let deleted = batchSize; deleted === batchSize;)
      deleted = await db.transaction((tx) => deleteEvents(tx, id, batchSize));
  },
};

export const subscribers = [forgetEvents];
