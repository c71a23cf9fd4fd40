// The parameters of a request for statements of reasons. Pure.

/** Returns the position at which a page begins, from the `next_cursor` of the previous page. */
export function positionOf(cursor: string): { readonly time: Date; readonly id: string } {
  const [time = '', id = ''] = cursor.split('-');
  return { time: new Date(Number(time)), id };
}

/** Returns a month in UTC: its name, its start, and the start of the next month. */
export function monthOf(name: string | undefined, now: Date) {
  const month = name ?? now.toISOString().slice(0, 7);
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + 1);
  return { month, from, until };
}

/** Returns whether the caller requests CSV: the query parameter precedes the Accept header. */
export function wantsCsv(format: 'json' | 'csv' | undefined, mediaType: string): boolean {
  return format === undefined ? mediaType === 'text/csv' : format === 'csv';
}
