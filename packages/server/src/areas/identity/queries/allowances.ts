// Statements on the uses of the allowances that depend on the trust level.
import type { QuotaAction } from '@colophon/contract';
import { sql } from '#database';
import type { Db } from '#database';
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
