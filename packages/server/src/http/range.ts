// Ranges of bytes (RFC 9110 section 14): one at a time; several at once are answered with the whole.

/** Both ends are included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const form = /^bytes\s*=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i;

/** undefined: none was asked for, or in a form that is to be ignored. */
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

/** Whether If-Range (section 13.1.5) lets a range be answered: strong comparison, and dates never match. */
export function isUnmodified(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === `"${etag}"`;
}
