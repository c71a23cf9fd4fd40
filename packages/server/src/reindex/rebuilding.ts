// What everything derived has in common, so that it can be made anew from its source.
import type { Db } from '#database';
import type { SubscriberServices } from '#outbox';

/**
 * The next `limit` ids after `after` in a fixed order, '' for the first: fewer than `limit` only at the
 * end. By (bucket, id), as primary keys are: queries/walk.ts has those of every source.
 */
export type Walk = (db: Db, after: string, limit: number) => Promise<readonly string[]>;

/** One kind of derived rows: what `npm run admin -- reindex` goes through. */
export interface Rebuilding {
  /** What the operator calls it: `npm run admin -- reindex search`. Lower case, with hyphens. */
  readonly name: string;
  /**
   * Of the rows, not of the code: one more whenever `rebuild` would make a row that is there already in
   * another way. Then the pipeline makes all of them anew by itself after the upgrade.
   */
  readonly version: number;
  /** How many `next` will tell, about. */
  count(db: Db): Promise<number>;
  /** The sources: articles, comments, principals, or what else has rows derived from it. */
  readonly next: Walk;
  /** Derived rows whose source is no more, or no longer asks for them; `rebuild` takes them away. */
  readonly stale: Walk;
  /**
   * Makes what is derived of `id` true now, the same function that the subscriber calls: idempotent, safe
   * beside it, and without an error for an id that does not exist.
   */
  rebuild(id: string, services: SubscriberServices): Promise<void>;
}
