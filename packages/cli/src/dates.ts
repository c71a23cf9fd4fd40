// Dates and times that people write: in front matter, in options, and in files of other programs.

const timePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)[ ]*([Zz]|UTC|[+-]\d{2}:?\d{2})?)?$/;

/** What to write in place of a text that is not a date. */
export const dateHint =
  'Write a date that exists: 2027-01-31, or with a time: 2027-01-31T09:30:00Z.';

/** The platform turns 31 February into 3 March. */
function exists(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/**
 * Returns a time as the service takes it: RFC 3339 in UTC with milliseconds. A time without a zone is read as UTC.
 * Undefined for a text that is not a date, and for a date that does not exist.
 */
export function timeOf(text: string): string | undefined {
  const [whole, day, clock = '00:00', zone = 'Z'] = timePattern.exec(text) ?? [];
  if (whole === undefined || day === undefined || !exists(day)) return undefined;
  const offset = zone === 'UTC' ? 'Z' : zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${day}T${clock}${offset}`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
