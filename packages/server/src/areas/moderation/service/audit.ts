// The audit log: the hashes of its chain, and appending to it in the transaction of the act that it records.
import type { Tx } from '#database';
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import { insertAudit, lockAuditHead, setAuditHead } from '../queries/index.ts';
import type { AuditEntry, AuditLink } from '../queries/index.ts';

/** The predecessor of the first row. */
export const auditOrigin: AuditLink = { number: 0, hash: '0'.repeat(64) };

/** Returns the hex SHA-256 over the RFC 8785 form of the entry, its number and the previous hash. */
export function auditHash(entry: AuditEntry, number: number, previousHash: string): string {
  return sha256Hex(canonicalJson({ ...entry, number, previous_hash: previousHash }));
}

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
