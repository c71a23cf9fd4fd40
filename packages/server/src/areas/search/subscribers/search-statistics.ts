// Updates the statistics of common words and of times, with which searches are planned.
import type { Recurring } from '#outbox';
import { setHorizons, setShares } from '../queries/search-statistics.ts';

/** PostgreSQL collects its statistics automatically, whenever a tenth of the articles has changed. */
export const searchStatistics: Recurring = {
  name: 'learnSearchStatistics',
  everyMinutes: 10,
  run: async ({ db }) => {
    await db.transaction(async (tx) => {
      await Promise.all([setShares(tx), setHorizons(tx)]);
    });
  },
};
