// Deletes the contact details in reports of a closed account; the reports stay.
import type { PrincipalClosed, Subscriber } from '#outbox';
import { setContactsCleared } from '../queries/index.ts';

const batchSize = 500;

/**
 * No report can be filed in the account's name any more. Works in batches, so that it can be interrupted.
 */
export const forgetContacts: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetContacts',
  run: async ({ bucket, payload }, { db }) => {
    const place = { bucket, id: payload.principal_id };
    for (let cleared = batchSize; cleared === batchSize;)
      cleared = await db.transaction((tx) => setContactsCleared(tx, place, batchSize));
  },
};
