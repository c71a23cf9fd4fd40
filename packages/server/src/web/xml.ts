// What a text must be to stand in XML, and what must not stand beside it.

/** What XML 1.0 has no way to write, not even escaped, beside halves of surrogate pairs. */
const unwritable = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const replacement = 0xfffd;

function isWritable(unit: number): boolean {
  if (unit >= 0x20) return unit < 0xfffe;
  return unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

/** Unit by unit: a pattern that replaces half a million matches holds up everybody else for long. */
function writableText(text: string): string {
  if (text.isWellFormed() && !unwritable.test(text)) return text;
  const bytes = Buffer.from(text.toWellFormed(), 'utf16le');
  for (let at = 0; at < bytes.length; at += 2)
    if (!isWritable(bytes.readUInt16LE(at))) bytes.writeUInt16LE(replacement, at);
  return bytes.toString('utf16le');
}

/**
 * The same with every string in it fit for XML: a character that is not stands as U+FFFD, since with one of
 * them nobody could read the feed.
 */
export function writable<T>(value: T): T {
  if (typeof value === 'string') return writableText(value) as T;
  if (Array.isArray(value)) return value.map(writable) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, writable(inner) as unknown]),
  ) as T;
}

/**
 * Without the white space that a printer has put between elements and around texts in CDATA sections,
 * where it would belong to the text.
 */
export function compacted(xml: string): string {
  return xml.replaceAll(
    /(<!\[CDATA\[[\s\S]*?\]\]>)\s*|>\s+(?=<)/g,
    (_, text: string | undefined) => text ?? '>',
  );
}
