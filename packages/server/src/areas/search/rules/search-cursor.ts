// Cursors of ranked lists: opaque to clients, and valid only for the search that issued them.
import { createHash } from 'node:crypto';
import { isId } from '#lib/id';

/** The end of a page: the next one continues below it. */
export interface RankedPlace {
  readonly score: number;
  readonly id: string;
  /** The number of hits listed so far. */
  readonly shown: number;
  /** The number of the search stage, so that the next page is searched in the same way. */
  readonly stage: number;
  /** Time of the first request in milliseconds: newer records do not displace others from the ranking. */
  readonly asOf: number;
}

/** Identifies a search: a hash of every parameter except those of the page. */
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

/** PostgreSQL and the contract use years of four digits. */
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

/** Returns the position in a cursor; 'wrong' if it is invalid, 'other' if it belongs to another search. */
export function readCursor(cursor: string, query: Query): RankedPlace | 'wrong' | 'other' {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores surplus characters, so one position would have several cursors.
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
