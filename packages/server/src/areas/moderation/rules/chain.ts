// Verification of the audit chain: each row against its own hash and the previous one. Pure.
import type { AuditLink, AuditRow } from '../queries/index.ts';
import { auditHash } from './audit.ts';

export interface Break {
  /** The first row that is wrong. */
  readonly number: number;
  /** A sentence. */
  readonly reason: string;
}

/** Returns what is wrong with a row that should follow `before`; undefined if nothing. */
function faultOf(row: AuditRow, before: AuditLink): string | undefined {
  const { number, hash, previous_hash: previousHash, ...entry } = row;
  if (number !== before.number + 1)
    return `${before.number + 1} is missing: the next row is ${number}`;
  if (previousHash !== before.hash) return `${number} does not follow the row before it`;
  if (auditHash(entry, number, previousHash) !== hash)
    return `${number} was altered: its hash does not match`;
  return undefined;
}

/** Follows rows from `before`. Returns the last of them, or the first break. */
export function followChain(rows: readonly AuditRow[], before: AuditLink): AuditLink | Break {
  let link = before;
  for (const row of rows) {
    const fault = faultOf(row, link);
    if (fault !== undefined) return { number: link.number + 1, reason: `Row ${fault}.` };
    link = { number: row.number, hash: row.hash };
  }
  return link;
}

/** Compares a link that was recorded elsewhere with the row of its number. */
export function notedBreak(rows: readonly AuditRow[], noted: AuditLink): Break | undefined {
  const row = rows.find(({ number }) => number === noted.number);
  if (row === undefined || row.hash === noted.hash) return undefined;
  const { number } = noted;
  return { number, reason: `Row ${number} does not have the hash that was recorded.` };
}
