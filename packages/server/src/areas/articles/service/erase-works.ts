// Erases articles, and their titles and notes in stored replays.
import type { Tx } from '#database';
import { eraseStoredNotes, eraseStoredTitles } from '#http';
import { setArticlesErased } from '../queries/index.ts';
import type { ErasedWork } from '../queries/index.ts';

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
