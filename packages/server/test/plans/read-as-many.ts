// Reads by key as of requests that arrive together, without requests that have to arrive together.
import type { Database } from '#database';

/** Lets each read by key be sent twice from now on: for one key, and as a statement for several. */
export function readAsMany(db: Database): void {
  const find: Database['find'] = async (read, key) => {
    await db.rows(read.many([key]));
    return db.first(read.one(key));
  };
  Object.assign(db, { find });
}
