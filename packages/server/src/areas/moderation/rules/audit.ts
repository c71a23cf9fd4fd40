// What the audit chain is made of. Pure.
import { canonicalJson, sha256Hex } from '#lib/canonical-json';
import type { AuditEntry, AuditLink } from '../queries/index.ts';

/** What the first row names as the one before it. */
export const auditOrigin: AuditLink = { number: 0, hash: '0'.repeat(64) };

/** Hex SHA-256 over the RFC 8785 form of the entry, its number and the hash before it. */
export function auditHash(entry: AuditEntry, number: number, previousHash: string): string {
  return sha256Hex(canonicalJson({ ...entry, number, previous_hash: previousHash }));
}
