// A strict base64url and base64 decoder: a value has exactly one encoding in each alphabet.

const padding = /={1,2}$/;

/**
 * Decodes exactly `length` bytes from base64url or base64 (RFC 4648 sections 5 and 4), with full padding or
 * with none. Returns undefined for everything else: another length, mixed alphabets, white space, non-zero
 * bits after the last byte.
 */
export function readBase64(text: string, length: number): Buffer | undefined {
  if (text.length > 4 * Math.ceil(length / 3)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length) return undefined;
  // Node's decoder is lenient. Encoding its result again shows whether the text was canonical.
  const padded = bytes.toString('base64');
  const url = padded.replaceAll('+', '-').replaceAll('/', '_');
  const spellings = [url, padded, url.replace(padding, ''), padded.replace(padding, '')];
  return spellings.includes(text) ? bytes : undefined;
}
