// Ids of the rows that the history of a target lists in the order of their ids.
import { newId } from '#lib/id';

/**
 * Returns the id of an action or of a change of a report. Call it once the target or report is locked: the history
 * lists them by their ids, and so in the order in which they took effect. The time of the request is from before the
 * wait for the lock.
 */
export function newIdInTurn(bucket: number, requestedAt: Date): string {
  return newId(bucket, Math.max(requestedAt.getTime(), Date.now()));
}
