// What a request for statements of reasons asks for. Pure.

/** Where a page begins: what `next_cursor` of the page before was made of. */
export function placeOf(cursor: string): { readonly time: Date; readonly id: string } {
  const [time = '', id = ''] = cursor.split('-');
  return { time: new Date(Number(time)), id };
}

/** A month in UTC: its name, its begin, and that of the next one. */
export function monthOf(name: string | undefined, now: Date) {
  const month = name ?? now.toISOString().slice(0, 7);
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + 1);
  return { month, from, until };
}

/** Whether the caller wants CSV: what the query says goes before the header. */
export function wantsCsv(format: 'json' | 'csv' | undefined, mediaType: string): boolean {
  return format === undefined ? mediaType === 'text/csv' : format === 'csv';
}
