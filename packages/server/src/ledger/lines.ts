// The lines of the ledger of erasures: JSON in one fixed shape with a checksum.
import { createHash } from 'node:crypto';

export interface Erasure {
  readonly article_id: string;
  /** RFC 3339. */
  readonly erased_at: string;
}

function checkOf({ article_id, erased_at }: Erasure): string {
  return createHash('sha256').update(`${article_id} ${erased_at}`).digest('hex').slice(0, 16);
}

/** Returns a line of JSON in one fixed shape; `check` distinguishes a complete line from a torn one. */
export function ledgerLine(erasure: Erasure): string {
  const { article_id, erased_at } = erasure;
  return `${JSON.stringify({ article_id, erased_at, check: checkOf(erasure) })}\n`;
}

const shape =
  /^\{"article_id":"(?<article_id>[0-9A-Z]{26})","erased_at":"(?<erased_at>[\d:.TZ-]{20,24})","check":"(?<check>[0-9a-f]{16})"\}$/;

/** Returns the erasure that the line records; undefined if the line is broken. */
export function erasureOf(line: string): Erasure | undefined {
  const { article_id = '', erased_at = '', check } = shape.exec(line)?.groups ?? {};
  const erasure = { article_id, erased_at };
  return check === checkOf(erasure) ? erasure : undefined;
}
