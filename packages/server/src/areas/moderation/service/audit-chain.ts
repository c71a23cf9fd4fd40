// Verifies the chain of the audit log.
import type { Db } from '#database';
import { findAuditHead, listAuditAfter } from '../queries/index.ts';
import type { AuditLink } from '../queries/index.ts';
import { auditOrigin } from '../rules/audit.ts';
import { followChain, notedBreak } from '../rules/chain.ts';
import type { Break } from '../rules/chain.ts';

/**
 * Verifies the whole chain, a thousand rows at a time, up to its separately stored end, and beyond it if
 * rows are added meanwhile. `noted` is a link that was recorded elsewhere.
 */
export async function verifyAudit(db: Db, noted?: AuditLink): Promise<AuditLink | Break> {
  const head = await findAuditHead(db);
  const known = [head ?? auditOrigin, ...(noted === undefined ? [] : [noted])];
  let link: AuditLink = auditOrigin;
  for (;;) {
    const rows = await listAuditAfter(db, link.number);
    const followed = followChain(rows, link);
    if ('reason' in followed) return followed;
    const unlike = known.map((one) => notedBreak(rows, one)).find((one) => one !== undefined);
    if (unlike !== undefined) return unlike;
    link = followed;
    if (rows.length === 0) break;
  }
  if (head === undefined)
    return { number: link.number + 1, reason: 'The record of the last row is missing.' };
  const last = Math.max(...known.map(({ number }) => number));
  if (last <= link.number) return link;
  const number = link.number + 1;
  return { number, reason: `Row ${number} is missing: the log ends before row ${last}.` };
}
