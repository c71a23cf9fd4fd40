// Verifies the chain of the audit log: each row against its own hash and the previous one, up to the recorded end.
import type { Db } from '#database';
import { findAuditHead, listAuditAfter } from '../queries/index.ts';
import type { AuditLink, AuditRow } from '../queries/index.ts';
import { auditHash, auditOrigin } from './audit.ts';

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
function followChain(rows: readonly AuditRow[], before: AuditLink): AuditLink | Break {
  let link = before;
  for (const row of rows) {
    const fault = faultOf(row, link);
    if (fault !== undefined) return { number: link.number + 1, reason: `Row ${fault}.` };
    link = { number: row.number, hash: row.hash };
  }
  return link;
}

/** Compares a link that was recorded elsewhere with the row of its number. */
function notedBreak(rows: readonly AuditRow[], noted: AuditLink): Break | undefined {
  const row = rows.find(({ number }) => number === noted.number);
  if (row === undefined || row.hash === noted.hash) return undefined;
  const { number } = noted;
  return { number, reason: `Row ${number} does not have the hash that was recorded.` };
}

/** How far a check of the chain came. */
export interface Followed {
  readonly link: AuditLink;
  /** The number of the last row, by the record of the end. */
  readonly last: number;
  /** Whether every row was followed, up to the end. */
  readonly isWhole: boolean;
}

/** What a piece of the check begins with, and where it stops. */
export interface Piece {
  /** The last row of the piece before; the chain is followed from its first row if undefined. */
  readonly after?: AuditLink;
  /** A link that was recorded elsewhere. */
  readonly noted?: AuditLink;
  /** How many statements read a thousand rows each; all that are needed if undefined. */
  readonly reads?: number;
}

/** Compares the end of the log with what is known of it. */
function endOf(link: AuditLink, head: AuditLink | undefined, noted: AuditLink): Followed | Break {
  const number = link.number + 1;
  if (head === undefined) return { number, reason: 'The record of the last row is missing.' };
  if (head.number === link.number && head.hash !== link.hash)
    return { number: link.number, reason: `Row ${link.number} does not have the recorded hash.` };
  const last = Math.max(head.number, noted.number);
  if (last > link.number)
    return { number, reason: `Row ${number} is missing: the log ends before row ${last}.` };
  return { link, last: link.number, isWhole: true };
}

/** Follows rows after `before`, and compares them with the links that are known. */
function followRows(
  rows: readonly AuditRow[],
  before: AuditLink,
  known: readonly AuditLink[],
): AuditLink | Break {
  const followed = followChain(rows, before);
  if ('reason' in followed) return followed;
  return known.map((one) => notedBreak(rows, one)).find((one) => one !== undefined) ?? followed;
}

/**
 * Follows the chain, a thousand rows at a time, up to its separately stored end, and beyond it if rows are added
 * meanwhile. A piece of it ends after so many reads; the next one goes on after its last row.
 */
export async function followAudit(
  db: Db,
  { after = auditOrigin, noted = auditOrigin, reads = Infinity }: Piece,
): Promise<Followed | Break> {
  const head = await findAuditHead(db);
  const known = [head ?? auditOrigin, noted];
  let link = after;
  for (let read = 0; read < reads; read += 1) {
    const rows = await listAuditAfter(db, link.number);
    const followed = followRows(rows, link, known);
    if ('reason' in followed) return followed;
    link = followed;
    if (rows.length === 0) return endOf(link, head, noted);
  }
  return { link, last: Math.max(head?.number ?? 0, link.number), isWhole: false };
}

/** Verifies the whole chain. `noted` is a link that was recorded elsewhere. */
export async function verifyAudit(db: Db, noted?: AuditLink): Promise<AuditLink | Break> {
  const found = await followAudit(db, noted === undefined ? {} : { noted });
  return 'reason' in found ? found : found.link;
}
