// Statements on the audit log.
import { sql } from '#database';
import type { Db, Tx } from '#database';

export interface AuditEntry {
  /** `operator` on the command line, else a principal's id. */
  readonly actor: string;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** RFC 3339. */
  readonly created_at: string;
}

export interface AuditLink {
  readonly number: number;
  readonly hash: string;
}

/** The bucket that the one chain lives in. */
const bucket = 0;

export function findAuditHead(db: Db): Promise<AuditLink | undefined> {
  return db.first(sql<AuditLink>`
    select number, hash
    from audit_log
    where bucket = ${bucket}
    order by number desc
    limit 1`);
}

/** The details of the newest entry that tells of this action on this target. */
export async function findAuditDetails(
  db: Db,
  action: string,
  targetId: string,
): Promise<AuditEntry['details'] | undefined> {
  const row = await db.first(sql<Pick<AuditEntry, 'details'>>`
    select details
    from audit_log
    where bucket = ${bucket} and target_id = ${targetId} and action = ${action}
    order by number desc
    limit 1`);
  return row?.details;
}

/** Refused by audit_log_number_pkey when another writer took the number: read the head again. */
export function insertAudit(
  tx: Tx,
  entry: AuditEntry,
  link: AuditLink & { readonly previous: string },
): Promise<number> {
  return tx.run(sql`
    insert into audit_log (
      bucket, number, actor, action, target_type, target_id, details, created_at, previous_hash, hash
    )
    values (
      ${bucket}, ${link.number}, ${entry.actor}, ${entry.action}, ${entry.target_type}, ${entry.target_id},
      ${JSON.stringify(entry.details)}, ${entry.created_at}, ${link.previous}, ${link.hash}
    )`);
}
