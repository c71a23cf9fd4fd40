// The served bytes of media, and the check for images that a profile may show.
import type { Db } from '#database';
import { problem } from '#http';
import type { ServedBytes } from '#http';
import { bucketOf, isId, keyOf } from '#lib/id';
import { existsReadyImage, findServed } from '../queries/index.ts';
import { chosenBytes, requireKnown, requireLive, widthOf } from '../rules/media.ts';
import { bytesView } from '../views.ts';

/**
 * Returns the finder for GET /media/{id}: it finds bytes from the time they are ready until they are removed.
 */
export function bytesFrom(db: Db) {
  return async (id: string, w: string | undefined): Promise<ServedBytes> => {
    if (!isId(id)) throw problem('not-found', 'No file has this id.');
    const width = widthOf(problem, w);
    const row = await findServed(db, keyOf(id), width);
    requireKnown(problem, row, null);
    requireLive(problem, row);
    return bytesView(row, chosenBytes(problem, row, width));
  };
}

/** Returns whether an id names a ready image of this principal. */
export async function isOwnImage(db: Db, ownerId: string, id: string): Promise<boolean> {
  const bucket = bucketOf(ownerId);
  if (!isId(id) || bucketOf(id) !== bucket) return false;
  return (await existsReadyImage(db, { bucket, id }, ownerId)) !== undefined;
}
