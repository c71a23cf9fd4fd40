// Makes text valid for XML, and for XML elements whose content is read as HTML.

/** Characters that XML 1.0 cannot represent, not even escaped, other than lone surrogates. */
const unwritable = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const replacement = 0xfffd;

function isWritable(unit: number): boolean {
  if (unit >= 0x20) return unit < 0xfffe;
  return unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

/** Works unit by unit: a pattern that replaces half a million matches would block the event loop for long. */
function writableText(text: string): string {
  if (text.isWellFormed() && !unwritable.test(text)) return text;
  const bytes = Buffer.from(text.toWellFormed(), 'utf16le');
  for (let at = 0; at < bytes.length; at += 2)
    if (!isWritable(bytes.readUInt16LE(at))) bytes.writeUInt16LE(replacement, at);
  return bytes.toString('utf16le');
}

/**
 * Returns a copy in which every string is valid for XML. Invalid characters become U+FFFD, because one of
 * them would make the whole feed unreadable.
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
 * Removes the white space that the printer adds between elements and around text in CDATA sections, where it
 * would be part of the text. A section that is not closed ends with the text, so that no text is scanned twice.
 */
export function compactXml(xml: string): string {
  return xml.replaceAll(
    /(<!\[CDATA\[[\s\S]*?(?:\]\]>|$))\s*|>\s+(?=<)/g,
    (_, text: string | undefined) => text ?? '>',
  );
}

/**
 * Returns text for elements that are plain text by their specification, but that some readers insert into a
 * page as HTML: names. Escaping would show entities in all other readers, so characters that open a tag are
 * replaced by similar ones.
 */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}
