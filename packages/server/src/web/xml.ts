// What a text must be to stand in XML, or in an element of XML that is read as HTML.

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

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Text as HTML, for elements whose content readers take for HTML: titles and descriptions of RSS, and Atom's
 * texts of type `html`. The XML around it is escaped once more by its writer.
 */
export function asHtml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
}

/**
 * Text for elements that hold plain text by their specification, but that some readers put into a page as
 * HTML: names. Escaped, it would show its entities to all the others; so what opens a tag is replaced by
 * what looks like it.
 */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}
