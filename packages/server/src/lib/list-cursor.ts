// Cursors that hold the place where a page ends, so that a list looks up no row to go on. Pure.
import { isId } from './id.ts';
import { isTimestamp } from './timestamp.ts';

/** The cursor of a place in a list. `mark` names the order of the list: a cursor of another one is refused. */
export function writeCursor(mark: string, members: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([mark, ...members])).toString('base64url');
}

/** The members that a cursor was written with, unchecked; undefined when it has another mark or form. */
export function readCursor(cursor: string, mark: string): readonly unknown[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores surplus characters: one place would have several names.
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

/** A place in a list of articles that is ordered by date. */
export interface DatePlace {
  readonly published_at: string;
  readonly id: string;
}

export const isDate = (value: unknown): value is string =>
  typeof value === 'string' && isTimestamp(value);
export const isIdText = (value: unknown): value is string =>
  typeof value === 'string' && isId(value);

export function dateCursor({ published_at, id }: DatePlace): string {
  return writeCursor('date', [published_at, id]);
}

/** The place that a cursor names; undefined when it names none of a dated list. */
export function readDateCursor(cursor: string): DatePlace | undefined {
  const [published_at, id] = readCursor(cursor, 'date') ?? [];
  return isDate(published_at) && isIdText(id) ? { published_at, id } : undefined;
}
