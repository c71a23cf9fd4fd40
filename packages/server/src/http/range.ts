// Byte ranges (RFC 9110 section 14): one at a time; several ranges are answered with the whole file.

/** A range of bytes, including both ends. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const form = /^bytes\s*=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i;

/** Returns the requested range; undefined if none was requested or its form is to be ignored. */
export function rangeOf(
  header: string | undefined,
  size: number,
): Range | 'unsatisfiable' | undefined {
  const match = form.exec(header ?? '');
  if (match === null) return undefined;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' || last === undefined ? size - 1 : Number(last);
  if (end < start && last !== '') return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: Math.min(end, size - 1) };
}

/** Whether If-Range (section 13.1.5) allows a range: strong comparison; dates never match. */
export function isUnmodified(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === `"${etag}"`;
}
