// Claims on reports: whose they are, and their end before their time.
import { sql } from '#database';
import type { Db, Tx } from '#database';
import { timestamp } from '#lib/timestamp';

/** Returns the moderators, at most `limit`, whose claims began after `lapsed`. */
export async function listClaimants(
  db: Db,
  lapsed: Date,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.rows(sql<{ readonly claimed_by: string }>`
    -- every bucket: the queue is one for all
    select distinct claimed_by
    from reports
    where claimed_by is not null and claimed_at > ${timestamp(lapsed)}
    order by claimed_by
    limit ${limit}`);
  return rows.map((row) => row.claimed_by);
}

/** Lets the claims of a moderator lapse, as if they had begun at `lapsed`. Returns how many. */
export function setClaimsLapsed(tx: Tx, moderatorId: string, lapsed: Date): Promise<number> {
  return tx.run(sql`
    -- every bucket: the queue is one for all
    update reports
    set claimed_at = ${timestamp(lapsed)}
    where claimed_by = ${moderatorId} and claimed_at > ${timestamp(lapsed)}`);
}
