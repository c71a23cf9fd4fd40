// Erases articles, with their titles and notes in stored replays, and stores that in the ledger afterwards.
import type { Database, Tx } from '#database';
import { eraseStoredNotes, eraseStoredTitles } from '#http';
import type { Ledger } from '#ledger';
import { articlesErased } from '../outbox.ts';
import { setArticlesErased, setRecorded } from '../queries/index.ts';
import type { PendingErasure, Works } from '../queries/index.ts';

/**
 * Erases articles in the caller's transaction, and appends the message whose subscribers delete what exceeds it. `at` is
 * stored as the time of the erasure, `now` is that of the message. Returns the ids of those that were not erased before.
 */
export async function eraseWorks(
  tx: Tx,
  works: Works,
  { at, now = at }: { readonly at: Date; readonly now?: Date },
): Promise<readonly string[]> {
  const [erased] = await Promise.all([
    setArticlesErased(tx, works, at),
    eraseStoredTitles(tx, works),
    eraseStoredNotes(tx, works),
  ]);
  articlesErased(tx, works.bucket, erased, now);
  return erased.map(({ id }) => id);
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
