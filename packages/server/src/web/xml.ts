// What a text must be to stand in XML, and what must not stand beside it.

/** What XML 1.0 has no way to write, not even escaped: one of them, and nobody reads the feed. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The same with every string in it fit for XML. */
export function writable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(unwritable, '\ufffd') as T;
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
