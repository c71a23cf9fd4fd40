// What events do when an account closes: they go.
import { closeCounter, deleteEvents } from '#event-log';
import type { PrincipalClosed, Subscriber } from '#outbox';

const batchSize = 1_000;

/** Nobody can write one any more before the first goes; a page at a time, so that it can be broken off. */
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
