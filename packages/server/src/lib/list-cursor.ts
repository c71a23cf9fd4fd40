// Cursors that contain the position where a page ends, so that the next page needs no look-up.
import { isId } from './id.ts';
import { isTimestamp } from './timestamp.ts';

/**
 * Returns the cursor of a position in a list. `mark` names the order of the list; a cursor with another mark
 * is rejected.
 */
export function writeCursor(mark: string, members: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([mark, ...members])).toString('base64url');
}

/** Returns the members of a cursor, unchecked; undefined when it has another mark or is malformed. */
export function readCursor(cursor: string, mark: string): readonly unknown[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores surplus characters: one position would have several cursors.
  if (bytes.toString('base64url') !== cursor) return undefined;
  let value: unknown;
  try {
    // oxlint-disable-next-line no-restricted-properties -- callers check the members one by one
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  return Array.isArray(value) && value[0] === mark ? value.slice(1) : undefined;
}

/** A position in a list of articles that is ordered by date. */
export interface DatePosition {
  readonly published_at: string;
  readonly id: string;
}

export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && isTimestamp(value);
export const isIdText = (value: unknown): value is string =>
  typeof value === 'string' && isId(value);

export function dateCursor({ published_at, id }: DatePosition): string {
  return writeCursor('date', [published_at, id]);
}

/** Returns the position of a cursor; undefined when it is not a cursor of a list by date. */
export function readDateCursor(cursor: string): DatePosition | undefined {
  const [published_at, id] = readCursor(cursor, 'date') ?? [];
  return isDate(published_at) && isIdText(id) ? { published_at, id } : undefined;
}
