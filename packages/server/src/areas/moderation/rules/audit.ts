// The hashes of the audit chain. Pure.
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import type { AuditEntry, AuditLink } from '../queries/index.ts';

/** The predecessor of the first row. */
export const auditOrigin: AuditLink = { number: 0, hash: '0'.repeat(64) };

/** Returns the hex SHA-256 over the RFC 8785 form of the entry, its number and the previous hash. */
export function auditHash(entry: AuditEntry, number: number, previousHash: string): string {
  return sha256Hex(canonicalJson({ ...entry, number, previous_hash: previousHash }));
}
