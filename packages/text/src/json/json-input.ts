// JSON input: parses untrusted bytes into an I-JSON value (RFC 7493) or a reason for rejection.

import { isAscii, isUtf8 } from 'node:buffer';

import type { JsonFinding, JsonLimits, JsonRefusalCode } from './finding.ts';
import { scanJson } from './scan.ts';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** `grammar`: the text is not JSON. `refused`: it is JSON, but not accepted. */
      readonly kind: 'grammar' | 'refused';
      readonly code: 'byte-order-mark' | 'utf-8' | 'grammar' | JsonRefusalCode;
      /** RFC 6901 pointer to the fault; only with `refused`. */
      readonly pointer?: string;
      /** One or two sentences for people: what is wrong and what to send instead. */
      readonly detail: string;
    };

const MAX_POINTER = 1000;

/**
 * Parses one JSON text in UTF-8 without a byte order mark. Never throws, never recurses, and takes time in
 * proportion to the length for any bytes. Names are unique within their object, strings contain no NUL and no
 * lone surrogates, and numbers keep the value that was sent, so that the hashed value is the stored value.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): ParsedJson {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return notJson(
      'byte-order-mark',
      'The JSON begins with a byte order mark. Send it without one.',
    );
  }
  if (!isUtf8(bytes)) return notJson('utf-8', 'The body is not valid UTF-8. Send JSON in UTF-8.');
  const finding = scanJson(bytes, limits);
  if (finding?.kind === 'grammar') return notJson('grammar', grammarDetail(bytes, finding));
  if (finding?.kind === 'refused') {
    const { kind, code, path } = finding;
    return { ok: false, kind, code, pointer: pointerTo(path), detail: refusalDetail(code, limits) };
  }
  // Nearly all bodies are ASCII, and copying them is several times cheaper than decoding them.
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  return { ok: true, value: JSON.parse(text) };
}

function notJson(code: 'byte-order-mark' | 'utf-8' | 'grammar', detail: string): ParsedJson {
  return { ok: false, kind: 'grammar', code, detail };
}

/** Counts code points: each has one byte that is not a continuation byte. */
function codePoints(bytes: Buffer): number {
  if (isAscii(bytes)) return bytes.length;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1)
    if (((bytes[at] as number) & 0xc0) !== 0x80) count += 1;
  return count;
}

function grammarDetail(bytes: Buffer, finding: JsonFinding & { kind: 'grammar' }): string {
  const { at, expected } = finding;
  let line = 1;
  let lineStart = 0;
  for (let from = 0; from < at; from += 1) {
    if (bytes[from] !== 0x0a) continue;
    line += 1;
    lineStart = from + 1;
  }
  const column = 1 + codePoints(bytes.subarray(lineStart, at));
  const what = at === bytes.length ? 'The JSON ends too early' : 'The JSON is broken';
  return `${what} at line ${line}, column ${column}: expected ${expected}.`;
}

function refusalDetail(code: JsonRefusalCode, limits: JsonLimits): string {
  switch (code) {
    case 'duplicate-name':
      return 'This name occurs twice in the object. Send it once.';
    case 'forbidden-name':
      return 'The name __proto__ is not allowed. Use another one.';
    case 'nul':
      return 'The character U+0000 is not allowed. Leave it out.';
    case 'lone-surrogate':
      return 'A lone surrogate is not a character. Send the whole pair, or leave it out.';
    case 'number-range':
      return (
        'This number is too large to be stored exactly. Send integers from -9007199254740991 to ' +
        '9007199254740991, or write it as a string.'
      );
    case 'too-deep':
      return `Values are nested more than ${limits.maxDepth} levels deep. Send a flatter value.`;
    case 'too-many-members':
      return `There are more than ${limits.maxMembers} names and values. Send fewer.`;
  }
}

/**
 * Returns an RFC 6901 pointer. Names that would be too long for a response shorten it to the enclosing value.
 */
function pointerTo(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of path) {
    const longer = `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (longer.length > MAX_POINTER) break;
    pointer = longer;
  }
  return pointer;
}
