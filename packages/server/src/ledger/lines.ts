// The lines of the ledger: JSON in one fixed shape for each kind of entry, with a checksum.
import { createHash } from 'node:crypto';

export interface Erasure {
  readonly article_id: string;
  /** RFC 3339. */
  readonly erased_at: string;
}

/** An account that was closed with the treatment `erase`. */
export interface Closing {
  readonly principal_id: string;
  /** RFC 3339. */
  readonly closed_at: string;
}

/** A removal for legal reasons, or its end. The newest one of a target is in force. */
export interface LegalAct {
  readonly target_type: 'article' | 'comment' | 'principal' | 'media';
  readonly target_id: string;
  readonly action: 'remove' | 'restore';
  readonly reason_code: string;
  /** RFC 3339, with milliseconds. */
  readonly acted_at: string;
}

export type LedgerEntry = Erasure | Closing | LegalAct;

const id = '[0-9A-Z]{26}';
const time = '[\\d:.TZ-]{20,24}';

type Fields = readonly (readonly [name: string, pattern: string])[];

/** The fields of each kind, in their order in a line. A kind is recognised by its first field. */
const ofErasure: Fields = [
  ['article_id', id],
  ['erased_at', time],
];
const ofClosing: Fields = [
  ['principal_id', id],
  ['closed_at', time],
];
const ofLegalAct: Fields = [
  ['target_type', 'article|comment|principal|media'],
  ['target_id', id],
  ['action', 'remove|restore'],
  ['reason_code', '[a-z_]{1,40}'],
  ['acted_at', time],
];
const kinds = [ofErasure, ofClosing, ofLegalAct];

function shapeOf(fields: Fields): string {
  const members = [...fields, ['check', '[0-9a-f]{16}']].map(
    ([name, pattern]) => `"${name}":"(?<${name}>${pattern})"`,
  );
  return `^\\{${members.join(',')}\\}$`;
}

const shapes = [
  new RegExp(shapeOf(ofErasure)),
  new RegExp(shapeOf(ofClosing)),
  new RegExp(shapeOf(ofLegalAct)),
];

function checkOf(fields: Readonly<Record<string, string>>): string {
  const text = Object.values(fields).join(' ');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns a line of JSON in a fixed shape; `check` distinguishes a complete line from a torn one. */
export function ledgerLine(entry: LedgerEntry): string {
  const given = new Map(Object.entries(entry));
  const kind = kinds.find(([first]) => first !== undefined && given.has(first[0])) ?? [];
  const fields = Object.fromEntries(kind.map(([name]) => [name, String(given.get(name))]));
  return `${JSON.stringify({ ...fields, check: checkOf(fields) })}\n`;
}

/** Returns the entry that the line records; undefined if the line is broken, or of a later version. */
export function entryOf(line: string): LedgerEntry | undefined {
  for (const shape of shapes) {
    const { check, ...fields } = shape.exec(line)?.groups ?? {};
    // The shape has checked the names and the values.
    if (check !== undefined)
      return check === checkOf(fields) ? (fields as unknown as LedgerEntry) : undefined;
  }
  return undefined;
}
