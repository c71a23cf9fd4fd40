// The served bytes of media.
import type { Db } from '#database';
import { problem } from '#http';
import type { ServedBytes } from '#http';
import { isId, keyOf } from '#lib/id';
import { findServed } from '../queries/index.ts';
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
