// Tables as CSV (RFC 4180).

type Cell = string | number | boolean | null;

/** What a spreadsheet would compute when it opens the file. */
const formula = /^[=+\-@\t\r]/;

/** A text that would be a formula gets an apostrophe, with which spreadsheets show it as it is. */
function cellOf(value: Cell): string {
  const given = value === null ? '' : String(value);
  const text = typeof value === 'string' && formula.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a header line, then a line per row; null is an empty cell. Lines end with CR LF. */
export function csvOf<C extends string>(
  columns: readonly C[],
  rows: readonly Readonly<Record<C, Cell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}
