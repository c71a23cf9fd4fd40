// Statements on the trust level of an account: setting it, and the uses of the allowances that depend on it.
import type { QuotaAction } from '@colophon/contract';
import { sql } from '#database';
import type { Db, Tx } from '#database';
import type { RowKey } from '#lib/id';

export interface AllowanceRow {
  readonly owner_principal_id: string | null;
  readonly status: 'active' | 'suspended' | 'closed';
  /** The owner's level for an agent. */
  readonly trust_level: number;
  /** Uses by the owner and all agents in the requested windows; null when there are none. */
  readonly used: Readonly<Partial<Record<QuotaAction, number>>> | null;
}

/** Returns a principal's allowances in one statement. `starts`: start of the window of each action. */
export function findAllowance(
  db: Db,
  key: RowKey,
  starts: ReadonlyMap<QuotaAction, Date>,
): Promise<AllowanceRow | undefined> {
  return db.first(sql<AllowanceRow>`
    select
      p.owner_principal_id, p.status, coalesce(o.trust_level, p.trust_level) as trust_level,
      (
        select json_object_agg(q.action, q.used)
        from unnest(
          ${[...starts.keys()]}::text[],
          ${[...starts.values()].map((start) => start.toISOString())}::timestamptz[]
        ) as w (action, window_start)
        join quota_uses q on q.bucket = p.bucket
          and q.principal_id = coalesce(p.owner_principal_id, p.id)
          and q.action = w.action
          and q.window_start = w.window_start
      ) as used
    from principals p
    left join principals o on o.bucket = p.bucket and o.id = p.owner_principal_id
    where p.bucket = ${key.bucket} and p.id = ${key.id}`);
}

/**
 * Locks an account and its owner, if it has one, until the commit: an agent is not raised above an owner who is
 * lowered meanwhile.
 */
export function lockLevels(tx: Tx, { bucket, id }: RowKey): Promise<number> {
  return tx.run(sql`
    select id
    from principals
    where bucket = ${bucket}
      and id = any(array[
        ${id}::text,
        (select a.owner_principal_id from principals a where a.bucket = ${bucket} and a.id = ${id})
      ])
    order by id
    for no key update`);
}

/** Sets the level of an account and lowers that of agents above it. 0 rows: no open account. */
export async function setTrustLevel(
  tx: Tx,
  { bucket, id }: RowKey,
  level: number,
): Promise<number> {
  const changed = tx.run(sql`
    update principals
    set trust_level = ${level}
    where bucket = ${bucket} and id = ${id} and status <> 'closed'`);
  await tx.run(sql`
    update principals
    set trust_level = ${level}
    where bucket = ${bucket} and owner_principal_id = ${id} and trust_level > ${level}`);
  return changed;
}
