// Timestamps in the format of the interface: RFC 3339, UTC, with milliseconds.

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Formats an instant (a Date, or milliseconds since 1970) as `2026-01-31T23:59:59.999Z`.
 * @throws RangeError: for an invalid date and for years outside of 1 to 9999, which the format cannot express
 */
export function timestamp(date: Date | number): string {
  const text = new Date(date).toISOString();
  if (!isTimestamp(text)) throw new RangeError(`no timestamp can contain ${text}`);
  return text;
}

/**
 * Whether a text has exactly the format of the interface and names an instant that exists: no 30 February, no
 * second 60, no hour 24. Year 0000 is rejected too, because PostgreSQL does not have it.
 */
export function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text) || text.startsWith('0000')) return false;
  const date = new Date(text);
  // Date carries an overflow into the next unit, so an invalid date is formatted differently.
  return !Number.isNaN(date.getTime()) && date.toISOString() === text;
}
