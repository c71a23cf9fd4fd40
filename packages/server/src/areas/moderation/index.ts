// The door of moderation: so far the audit log.
import type { Tx } from '#database';
import { findAuditHead, insertAudit } from './queries.ts';
import type { AuditEntry } from './queries.ts';
import { auditHash, auditOrigin } from './rules.ts';

export { findAuditDetails } from './queries.ts';
export type { AuditEntry } from './queries.ts';

/**
 * Appends to the chain in the transaction of the act itself. Two at once: the later one fails on
 * audit_log_number_pkey and is to be run again as a whole.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const head = (await findAuditHead(tx)) ?? auditOrigin;
  const number = head.number + 1;
  await insertAudit(tx, entry, {
    number,
    hash: auditHash(entry, number, head.hash),
    previous: head.hash,
  });
}
