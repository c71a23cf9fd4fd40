// Ends exports before their time: something in them was removed, the account was closed, or they expired.
import type { Database, Tx } from '#database';
import { bytesFreed } from '#outbox';
import type { RowKey } from '#lib/id';
import { exportRequested } from '../outbox.ts';
import {
  deleteExportRow,
  deleteParts,
  lockExport,
  setEnded,
  setRestarted,
} from '../queries/index.ts';
import type { Overdue } from '../queries/index.ts';
import { firstStage, expiredReason, staleReason } from '../rules/exports.ts';

const restartsMax = 5;
const restlessReason =
  'Content was removed again and again while the export was made. Request it again later.';

/**
 * Deletes what an unfinished export has so far, and starts it again. One that had begun fails after some times. The
 * message is sent in any case: a run that is in its first step finds that the export is another one, and ends.
 */
export async function restart(tx: Tx, key: RowKey, now: Date): Promise<void> {
  const [found, names] = await Promise.all([lockExport(tx, key), deleteParts(tx, key)]);
  bytesFreed(tx, key.bucket, names, now);
  if (found?.status === 'running' && found.restarts >= restartsMax) {
    await setEnded(tx, key, { status: 'failed', reason: restlessReason, now });
    return;
  }
  await setRestarted(tx, key, firstStage, now);
  exportRequested(tx, key, now);
}

/** Deletes the archive of an export that is locked, and keeps the record. */
async function expire(tx: Tx, key: RowKey, end: Parameters<typeof setEnded>[2]): Promise<void> {
  const [names] = await Promise.all([deleteParts(tx, key), setEnded(tx, key, end)]);
  bytesFreed(tx, key.bucket, names, end.now);
}

/** Takes back an export because something that it may contain was removed. */
export function invalidate(db: Database, key: RowKey, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const status = (await lockExport(tx, key))?.status;
    if (status === 'ready') await expire(tx, key, { status: 'expired', reason: staleReason, now });
    else if (status === 'queued' || status === 'running') await restart(tx, key, now);
  });
}

const stuckReason = 'The export could not be made. Request it again.';

/** Ends an export that was listed as overdue, unless it changed since. */
export function endOverdue(db: Database, overdue: Overdue, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const found = await lockExport(tx, overdue);
    if (found?.status !== overdue.status || found.steps !== overdue.steps) return;
    if (found.status === 'ready')
      await expire(tx, overdue, { status: 'expired', reason: expiredReason, now });
    else if (found.status === 'queued' || found.status === 'running')
      await expire(tx, overdue, { status: 'failed', reason: stuckReason, now });
    else bytesFreed(tx, overdue.bucket, await deleteExportRow(tx, overdue), now);
  });
}
