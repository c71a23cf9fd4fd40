// Bytes written as text: base64url or base64, read so that a value has no second spelling in either.

const padding = /={1,2}$/;

/**
 * Reads exactly `length` bytes from base64url or base64 (RFC 4648 sections 5 and 4), with the whole
 * padding or without any. Undefined for everything else: another length, both alphabets in one text,
 * blanks, bits behind the last byte that are not zero.
 */
export function readBase64(text: string, length: number): Buffer | undefined {
  if (text.length > 4 * Math.ceil(length / 3)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length) return undefined;
  // Node's decoder forgives; what it made of the text, written again, shows whether it had to.
  const padded = bytes.toString('base64');
  const url = padded.replaceAll('+', '-').replaceAll('/', '_');
  const spellings = [url, padded, url.replace(padding, ''), padded.replace(padding, '')];
  return spellings.includes(text) ? bytes : undefined;
}
