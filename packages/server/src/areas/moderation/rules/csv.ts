// Tables as CSV (RFC 4180).

type Cell = string | number | boolean | null;

function cellOf(value: Cell): string {
  const text = value === null ? '' : String(value);
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
