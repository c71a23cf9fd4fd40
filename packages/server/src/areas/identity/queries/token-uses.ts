// The statements that store when tokens and sessions were last used.
import { sql } from '#database';
import type { Tx } from '#database';
import { bucketOf } from '#lib/id';

interface Use {
  readonly at: Date;
}

/**
 * Returns uses in the order of the ids, in which a plan that looks up each row locks them. Another plan, or another
 * order, costs a deadlock between two processes, after which one of them writes again.
 */
function inOrder<U extends Use>(uses: ReadonlyMap<string, U>) {
  const entries = [...uses].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ids: entries.map(([id]) => id), uses: entries.map(([, use]) => use) };
}

/**
 * Stores when tokens were last used; a later stored time stays. The statement covers many buckets: it belongs
 * to no request, and its rows are independent of each other.
 */
export function setTokensUsed(tx: Tx, byId: ReadonlyMap<string, Use>): Promise<number> {
  const { ids, uses } = inOrder(byId);
  return tx.run(sql`
    update tokens as t
    set last_used_at = u.used_at
    from unnest(
      ${ids.map(bucketOf)}::smallint[], ${ids}::text[],
      ${uses.map(({ at }) => at.toISOString())}::timestamptz[]
    ) as u (bucket, id, used_at)
    where t.bucket = u.bucket
      and t.id = u.id
      and (t.last_used_at is null or t.last_used_at < u.used_at)`);
}

/** Stores when and from which networks sessions were last used, in the same way. */
export function setSessionsUsed(
  tx: Tx,
  byId: ReadonlyMap<string, Use & { readonly network: string | null }>,
): Promise<number> {
  const { ids, uses } = inOrder(byId);
  return tx.run(sql`
    update sessions as s
    set last_used_at = greatest(s.last_used_at, u.used_at), network = u.network
    from unnest(
      ${ids.map(bucketOf)}::smallint[], ${ids}::text[],
      ${uses.map(({ at }) => at.toISOString())}::timestamptz[],
      ${uses.map(({ network }) => network)}::text[]
    ) as u (bucket, id, used_at, network)
    where s.bucket = u.bucket
      and s.id = u.id
      and (s.last_used_at < u.used_at or s.network is distinct from u.network)`);
}
