// Erases articles, with their titles and notes in stored replays, and stores that in the ledger afterwards.
import type { Database, Tx } from '#database';
import { eraseStoredNotes, eraseStoredTitles } from '#http';
import type { Ledger } from '#ledger';
import { setArticlesErased, setRecorded } from '../queries/index.ts';
import type { ErasedWork, PendingErasure } from '../queries/index.ts';

/**
 * Erases articles of one bucket in the caller's transaction and returns those that were not erased before.
 * Append `articlesErased` for them in the same transaction.
 */
export async function eraseWorks(
  tx: Tx,
  bucket: number,
  ids: readonly string[],
  now: Date,
): Promise<readonly ErasedWork[]> {
  const [erased] = await Promise.all([
    setArticlesErased(tx, bucket, ids, now),
    eraseStoredTitles(tx, { bucket, ids }),
    eraseStoredNotes(tx, { bucket, ids }),
  ]);
  return erased;
}

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
