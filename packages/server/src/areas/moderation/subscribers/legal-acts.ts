// The recurring job that completes the ledger with removals for legal reasons and their ends.
import type { Ledger } from '#ledger';
import type { Recurring } from '#outbox';
import { listUnrecordedLegalActs, setLegalActsRecorded } from '../queries/index.ts';
import type { LegalActRow } from '../queries/index.ts';

/** How long the request of an action has to write the ledger itself. */
const requestMs = 60_000;

/** Returns the job that records the acts of which a copy of the ledger may not know. */
export function recordingLegalActs(ledger: Ledger): Recurring {
  return {
    name: 'recordLegalActs',
    everyMinutes: 1,
    run: ({ db, now }) => {
      const before = new Date(now().getTime() - requestMs);
      return ledger.complete<LegalActRow>({
        list: (limit) => listUnrecordedLegalActs(db, before, limit),
        setRecorded: async (acts) => {
          for (const [bucket, own] of Map.groupBy(acts, (act) => act.bucket)) {
            const ids = own.map(({ id }) => id);
            await db.transaction((tx) => setLegalActsRecorded(tx, { bucket, ids }, now()));
          }
        },
      });
    },
  };
}
