// What becomes of reports when the account that filed them closes: they stay, without a way to reach anybody.
import type { PrincipalClosed, Subscriber } from '#outbox';
import { clearContacts } from '../queries/index.ts';

const batchSize = 500;

/** Nobody can file one any more in the account's name; some at a time, so that it can be broken off. */
export const forgetContacts: Subscriber<PrincipalClosed> = {
  type: 'principal.closed',
  name: 'forgetContacts',
  run: async ({ bucket, payload }, { db }) => {
    const place = { bucket, id: payload.principal_id };
    for (let cleared = batchSize; cleared === batchSize;)
      cleared = await db.transaction((tx) => clearContacts(tx, place, batchSize));
  },
};
