// Stores new leaves so that their numbers are in the order in which they stand.
import type { Tx } from '#database';
import { newId } from '#lib/id';
import { insertLeaves } from '../queries/index.ts';
import { logBucket } from '../queries/bucket.ts';
import type { NewLeaf } from '../rules/leaves.ts';

/** Stores leaves in the order in which they stand, which is the order of their numbers. */
export function insertInOrder(tx: Tx, leaves: readonly NewLeaf[], now: Date): void {
  if (leaves.length === 0) return;
  const waiting = leaves.map(({ cause, entry, salt }) => ({
    cause,
    entry,
    ticket: newId(logBucket, now.getTime()),
    articleId: salt?.articleId ?? null,
    salt: salt?.bytes ?? null,
  }));
  void insertLeaves(
    tx,
    waiting.toSorted((one, other) => (one.cause < other.cause ? -1 : 1)),
  );
}
