// Ends exports before their time: something in them was removed, the account was closed, or they expired.
import type { Database, Tx } from '#database';
import type { RowKey } from '#lib/id';
import { bytesFreed, exportRequested } from '../outbox.ts';
import {
  deleteExportRow,
  deleteParts,
  lockExport,
  setEnded,
  setRestarted,
} from '../queries/index.ts';
import type { Overdue } from '../queries/index.ts';
import { overReason, staleReason } from '../rules/exports.ts';
import { firstStage } from './stages.ts';

const restartsMax = 5;
const restlessReason =
  'Content was removed again and again while the export was made. Request it again later.';

/**
 * Deletes what an unfinished export has so far, and starts it again. One that had begun fails after some times. The
 * message is sent in any case: a run that is in its first step finds that the export is another one, and ends.
 */
export async function restart(tx: Tx, place: RowKey, now: Date): Promise<void> {
  const [found, names] = await Promise.all([lockExport(tx, place), deleteParts(tx, place)]);
  bytesFreed(tx, place.bucket, names, now);
  if (found?.status === 'running' && found.restarts >= restartsMax) {
    await setEnded(tx, place, { status: 'failed', reason: restlessReason, now });
    return;
  }
  await setRestarted(tx, place, firstStage, now);
  exportRequested(tx, place, now);
}

/** Deletes the archive of an export that is locked, and keeps the record. */
async function expire(tx: Tx, place: RowKey, end: Parameters<typeof setEnded>[2]): Promise<void> {
  const [names] = await Promise.all([deleteParts(tx, place), setEnded(tx, place, end)]);
  bytesFreed(tx, place.bucket, names, end.now);
}

/** Takes back an export because something that it may contain was removed. */
export function invalidate(db: Database, place: RowKey, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const status = (await lockExport(tx, place))?.status;
    if (status === 'ready')
      await expire(tx, place, { status: 'expired', reason: staleReason, now });
    else if (status === 'queued' || status === 'running') await restart(tx, place, now);
  });
}

/** Deletes an export with its archive. */
export async function removeExport(tx: Tx, place: RowKey, now: Date): Promise<void> {
  bytesFreed(tx, place.bucket, await deleteExportRow(tx, place), now);
}

const stuckReason = 'The export could not be made. Request it again.';

/** Ends an export that was listed as overdue, unless it changed since. */
export function endOverdue(db: Database, overdue: Overdue, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const found = await lockExport(tx, overdue);
    if (found?.status !== overdue.status || found.steps !== overdue.steps) return;
    if (found.status === 'ready')
      await expire(tx, overdue, { status: 'expired', reason: overReason, now });
    else if (found.status === 'queued' || found.status === 'running')
      await expire(tx, overdue, { status: 'failed', reason: stuckReason, now });
    else await removeExport(tx, overdue, now);
  });
}
