// Stores erasures in the ledger, right after their transaction.
import type { Database } from '#database';
import type { Ledger } from '#ledger';
import { setRecorded } from '../queries/index.ts';
import type { PendingErasure } from '../queries/index.ts';

/**
 * Resolves when the ledger contains the erasures of one bucket durably. If it fails, the recurring job
 * `recordErasures` tries again.
 */
export async function recordErasures(
  { db, ledger }: { readonly db: Database; readonly ledger: Ledger },
  erasures: readonly PendingErasure[],
  now: Date,
): Promise<void> {
  const [first] = erasures;
  if (first === undefined) return;
  await ledger.append(erasures);
  const ids = erasures.map(({ article_id }) => article_id);
  await db.transaction((tx) => setRecorded(tx, { bucket: first.bucket, ids }, now));
}
