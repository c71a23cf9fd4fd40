// Ends the claims of those who are no longer moderators: nobody else could decide on their reports for a day.
import { listActiveHolders } from '#identity';
import type { Recurring } from '#outbox';
import { listClaimants, setClaimsLapsed } from '../queries/index.ts';
import { lapsedUntil } from '../rules/reviews.ts';

/** More than there are moderators at work in a day. */
const claimantsMax = 1_000;

/** Their account was closed or suspended, or no token of it has the scope any more. */
export const releaseClaims: Recurring = {
  name: 'releaseClaims',
  everyMinutes: 1,
  run: async ({ db, log, now }) => {
    const at = now();
    const lapsed = lapsedUntil(at);
    const claimants = await listClaimants(db, lapsed, claimantsMax);
    const moderators = new Set(await listActiveHolders(db, claimants, 'admin:moderate', at));
    for (const id of claimants.filter((one) => !moderators.has(one))) {
      const released = await db.transaction((tx) => setClaimsLapsed(tx, id, lapsed));
      log.info({ moderator_id: id, released }, 'The reports of a former moderator are open again.');
    }
  },
};
