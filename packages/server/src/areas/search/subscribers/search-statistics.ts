// Keeps what is known of common words and of times: what a search is planned with.
import type { Recurring } from '#outbox';
import { setHorizons, setShares } from '../queries/index.ts';

/** PostgreSQL gathers its statistics by itself, whenever a tenth of the articles has changed. */
export const searchStatistics: Recurring = {
  name: 'learnSearchStatistics',
  everyMinutes: 10,
  run: async ({ db }) => {
    await db.transaction(async (tx) => {
      await Promise.all([setShares(tx), setHorizons(tx)]);
    });
  },
};
