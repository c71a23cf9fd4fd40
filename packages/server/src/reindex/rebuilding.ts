// What all kinds of derived rows have in common, so that they can be rebuilt from their source.
import type { Db } from '#database';
import type { SubscriberServices } from '#outbox';

/**
 * Returns the next `limit` ids after `after` in a fixed order, '' for the first; fewer than `limit` only at
 * the end. The order is (bucket, id), like that of primary keys: walk.ts contains the walks of every
 * source.
 */
export type Walk = (db: Db, after: string, limit: number) => Promise<readonly string[]>;

/** One kind of derived rows, which `npm run admin -- reindex` rebuilds. */
export interface Rebuilding {
  /** The name in the operator's command: `npm run admin -- reindex search`. Lower case, with hyphens. */
  readonly name: string;
  /**
   * The version of the rows, not of the code. Increase it by one whenever `rebuild` would write an existing
   * row differently. The pipeline then rebuilds all of them automatically after the upgrade.
   */
  readonly version: number;
  /** Returns the approximate number of ids that `next` returns. */
  count(db: Db): Promise<number>;
  /** The sources: articles, comments, principals, or other rows that have derived rows. */
  readonly next: Walk;
  /** The stale rows: derived rows whose source is gone or no longer needs them. `rebuild` deletes them. */
  readonly stale: Walk;
  /**
   * Brings the derived rows of `id` up to date. The subscriber calls the same function. It is idempotent,
   * may run at the same time as the subscriber, and does not fail for an id that does not exist.
   */
  rebuild(id: string, services: SubscriberServices): Promise<void>;
}
