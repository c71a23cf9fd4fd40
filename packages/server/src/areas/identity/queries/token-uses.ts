// The statement that stores when tokens were last used.
import { sql } from '#database';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';

/**
 * Stores when tokens were last used; a later stored time stays. The statement covers many buckets: it belongs
 * to no request, and its rows are independent of each other.
 */
export function setTokensUsed(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<number> {
  const ids = [...uses.keys()];
  return tx.run(sql`
    update tokens as t
    set last_used_at = u.used_at
    from unnest(
      ${ids.map(bucketOf)}::smallint[], ${ids}::text[],
      ${[...uses.values()].map((time) => time.toISOString())}::timestamptz[]
    ) as u (bucket, id, used_at)
    where t.bucket = u.bucket
      and t.id = u.id
      and (t.last_used_at is null or t.last_used_at < u.used_at)`);
}
