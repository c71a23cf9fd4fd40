// Statements on the audit log.
import { atMost, whenGiven, justFirst, sql } from '#database';
import type { Db, Tx } from '#database';

export interface AuditEntry {
  /** `operator` for the command line, otherwise a principal's id. */
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

/** The bucket that contains the single chain. */
const bucket = 0;

/** Returns the end of the chain, which is stored separately. */
export function findAuditHead(db: Db): Promise<AuditLink | undefined> {
  return db.first(sql<AuditLink>`
    select number, hash
    from audit_heads
    where bucket = ${bucket}`);
}

/** Returns the end of the chain, locked until the commit: transactions that append wait for each other. */
export function lockAuditHead(tx: Tx): Promise<AuditLink | undefined> {
  return tx.first(sql<AuditLink>`
    select number, hash
    from audit_heads
    where bucket = ${bucket}
    for update`);
}

export function setAuditHead(tx: Tx, head: AuditLink): Promise<number> {
  return tx.run(sql`
    update audit_heads
    set number = ${head.number}, hash = ${head.hash}
    where bucket = ${bucket}`);
}

export interface AuditRow extends AuditEntry, AuditLink {
  readonly previous_hash: string;
}

/** Returns rows after `number`, in the order in which they were written. */
export function listAuditAfter(db: Db, number: number): Promise<readonly AuditRow[]> {
  return db.rows(sql<AuditRow>`
    select number, actor, action, target_type, target_id, details, created_at, previous_hash, hash
    from audit_log
    where bucket = ${bucket} and number > ${number}
    order by number
    ${justFirst(1000)}`);
}

export interface AuditPage {
  /** The number at the end of the previous page. */
  readonly before: number | undefined;
  readonly limit: number;
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly targetType: string | undefined;
  readonly targetId: string | undefined;
}

/** Returns audit rows, newest first. */
export function listAudit(db: Db, page: AuditPage): Promise<readonly AuditRow[]> {
  return db.rows(sql<AuditRow>`
    select number, actor, action, target_type, target_id, details, created_at, previous_hash, hash
    from audit_log
    ${sql.where([
      sql`bucket = ${bucket}`,
      whenGiven(page.before, (number) => sql`number < ${number}`),
      whenGiven(page.actor, (actor) => sql`actor = ${actor}`),
      whenGiven(page.action, (action) => sql`action = ${action}`),
      whenGiven(page.targetType, (type) => sql`target_type = ${type}`),
      whenGiven(page.targetId, (id) => sql`target_id = ${id}`),
    ])}
    order by number desc
    ${atMost(page.limit + 1)}`);
}

/** Violates audit_log_number_pkey if another writer, which did not lock the head, took the number. */
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
