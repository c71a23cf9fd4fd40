// Cursors of ranked lists: opaque to clients, and good for the search that they came from only.
import { createHash } from 'node:crypto';
import { isId } from '#lib/id';

/** Where a page ends: the next one has what ranks below. */
export interface RankedPlace {
  readonly score: number;
  readonly id: string;
  /** How many hits were listed up to there. */
  readonly shown: number;
  /** How it was searched, so that the next page goes on in the same way. */
  readonly stage: number;
  /** When the first page was asked for, in milliseconds: what is newer pushes nothing out of the ranking. */
  readonly asOf: number;
}

/** What makes two searches the same: every parameter but the page's. */
function fingerprint(query: Readonly<Record<string, unknown>>): string {
  const { cursor: _, limit: __, ...same } = query;
  const members = Object.entries(same).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 8);
}

type Query = Readonly<Record<string, unknown>>;

export function cursorOf(place: RankedPlace, query: Query): string {
  const { score, id, shown, stage, asOf } = place;
  const value = [fingerprint(query), score, id, shown, stage, asOf];
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** PostgreSQL and the contract have years of four digits. */
const lastMs = Date.UTC(9999, 11, 31);

const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isPlace(value: unknown): value is [string, number, string, number, number, number] {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [made, score, id, shown, stage, asOf] = value as readonly unknown[];
  return (
    typeof made === 'string' &&
    Number.isFinite(score) &&
    typeof id === 'string' &&
    isId(id) &&
    isWhole(shown, 1) &&
    isWhole(stage, 0) &&
    isWhole(asOf, 0, lastMs)
  );
}

/** The place that a cursor names; 'wrong' when it is none, 'other' when it is another search's. */
export function readCursor(cursor: string, query: Query): RankedPlace | 'wrong' | 'other' {
  const bytes = Buffer.from(cursor, 'base64url');
  // A decoder passes over what is too much: one place would have several names.
  if (bytes.toString('base64url') !== cursor) return 'wrong';
  let value: unknown;
  try {
    // oxlint-disable-next-line no-restricted-properties -- the shape is checked below, and nothing else of it is used
    value = JSON.parse(bytes.toString());
  } catch {
    return 'wrong';
  }
  if (!isPlace(value)) return 'wrong';
  const [made, score, id, shown, stage, asOf] = value;
  if (made !== fingerprint(query)) return 'other';
  return { score, id, shown, stage, asOf };
}
