// Statements on removals for legal reasons, which stand above every other state of an article.
import { sql } from '#database';
import type { Tx } from '#database';
import type { Place } from './articles.ts';

/** What a removal takes the place of, and what a restoration brings back. */
export interface BeforeRemoval {
  readonly status: string;
  readonly removed_at: string | null;
  readonly reason_code: string | null;
}

/** Erased texts stay erased; the reason is shown in their place too. */
export function setLegallyRemoved(
  tx: Tx,
  place: Place,
  reasonCode: string,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update articles
    set status = case when status = 'erased' then status else 'removed' end,
      removed_legally = true, reason_code = ${reasonCode},
      removed_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
    where bucket = ${place.bucket} and id = ${place.id} and not removed_legally`);
}

/** What was erased meanwhile cannot come back. */
export function setLegallyRestored(
  tx: Tx,
  place: Place,
  before: BeforeRemoval,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update articles
    set removed_legally = false, reason_code = ${before.reason_code},
      status = case when status = 'erased' then status else ${before.status} end,
      removed_at = case
        when status = 'erased' then coalesce(${before.removed_at}, removed_at)
        else ${before.removed_at}
      end,
      updated_at = ${now.toISOString()}
    where bucket = ${place.bucket} and id = ${place.id} and removed_legally`);
}
