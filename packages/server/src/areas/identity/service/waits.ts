// Ends the polls for events whose token was revoked while they wait.
import type { Tx } from '#database';
import { wakeWaiting } from '#event-log';
import type { RowKey } from '#lib/id';
import { listHousehold } from '../queries/index.ts';

/**
 * Wakes every poll for events of a human or its agents after the commit: a revoked token may wait for any of them.
 * Those whose token is still valid go on waiting.
 */
export async function endWaits(tx: Tx, owner: RowKey): Promise<void> {
  wakeWaiting(tx, await listHousehold(tx, owner));
}
