// Appends to the audit log in the transaction of the act that it records.
import type { Tx } from '#database';
import { insertAudit, lockAuditHead, setAuditHead } from '../queries/index.ts';
import type { AuditEntry } from '../queries/index.ts';
import { auditHash, auditOrigin } from '../rules/audit.ts';

/**
 * Appends to the chain. Writers wait for each other from here to their commit: append late, after all locks
 * on the target and before `appendEvent`.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const head = (await lockAuditHead(tx)) ?? auditOrigin;
  const number = head.number + 1;
  const hash = auditHash(entry, number, head.hash);
  void insertAudit(tx, entry, { number, hash, previous: head.hash });
  void setAuditHead(tx, { number, hash });
}
