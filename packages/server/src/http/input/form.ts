// Parses application/x-www-form-urlencoded (WHATWG URL, section 5.1), in pieces: a long form blocks nobody.
import { nextTurn } from '#lib/pieces';
import { pieceLength } from '@colophon/text/lib/text-pieces';

/** Forms of pages have about 30 fields at most. Each field costs work beside its bytes. */
export const formFieldsMax = 200;

const [ampersand, equals, percent, plus, space, cr, lf] = Buffer.from('&=%+ \r\n') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Returns whether a form or a query has more fields than any page sends. It parses nothing, and stops at the maximum. */
export function hasTooManyFields(bytes: Buffer): boolean {
  let count = 1;
  for (let at = bytes.indexOf(ampersand); at >= 0; at = bytes.indexOf(ampersand, at + 1)) {
    count += 1;
    if (count > formFieldsMax) return true;
  }
  return false;
}

/** Returns the value of a hexadecimal digit; -1 for any other byte. */
function digitOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns the byte that is written as `%` and two digits; -1 if it is not written so. */
function escapedAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== percent) return -1;
  const [high, low] = [digitOf(bytes[at + 1]), digitOf(bytes[at + 2])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Returns the byte that is written as itself; a plus sign is a space. */
function plainAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number;
  return byte === plus ? space : byte;
}

/** Decodes a name or a value in place, because it never grows. Yields after each piece. */
function* decodeInPlace(bytes: Buffer): Generator<undefined, string> {
  // A byte order mark is part of the text.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [text, from, to] = ['', 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const escaped = escapedAt(bytes, at);
    if (escaped >= 0) at += 2;
    const byte = escaped >= 0 ? escaped : plainAt(bytes, at);
    // Browsers send CRLF; texts are stored with LF.
    if (byte === lf && to > from && bytes[to - 1] === cr) to -= 1;
    bytes[to] = byte;
    to += 1;
    // A CR at the end of a piece waits for its LF.
    if (to - from < pieceLength || byte === cr) continue;
    text += decoder.decode(bytes.subarray(from, to), { stream: true });
    from = to;
    yield;
  }
  return text + decoder.decode(bytes.subarray(from, to));
}

/** Returns the fields of a form; lines end with LF. Yields after each piece of work. It overwrites the bytes. */
export function* formPieces(bytes: Buffer): Generator<undefined, URLSearchParams> {
  const fields = new URLSearchParams();
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf(ampersand, from);
    const field = bytes.subarray(from, next < 0 ? bytes.length : next);
    from += field.length + 1;
    if (field.length === 0) continue;
    const at = field.indexOf(equals);
    const name = at < 0 ? field : field.subarray(0, at);
    const value = at < 0 ? field.subarray(field.length) : field.subarray(at + 1);
    fields.append(yield* decodeInPlace(name), yield* decodeInPlace(value));
  }
  return fields;
}

/** Like `formPieces`, with other work of the event loop between the pieces. */
export async function readFields(bytes: Buffer): Promise<URLSearchParams> {
  const pieces = formPieces(bytes);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    await nextTurn();
  }
}
