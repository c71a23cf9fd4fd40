// A strict JSON validator (RFC 8259) that also finds violations of I-JSON (RFC 7493) and our limits.
// One pass over the bytes, no recursion. JSON.parse accepts everything that it accepts.

import type { JsonFinding, JsonLimits, JsonRefusalCode } from './finding.ts';
import { fitsDouble, numberEnd } from './number.ts';

type Scan = {
  readonly bytes: Buffer;
  readonly limits: JsonLimits;
  at: number;
  /** The number of open objects and arrays, and the byte that closes each. */
  depth: number;
  closers: Uint8Array;
  members: number;
  /**
   * The names or indexes of the current path, and the names seen in each open object; unused after a refusal.
   */
  path: (string | number)[];
  names: (Set<string> | undefined)[];
  inName: boolean;
  refusal: (JsonFinding & { kind: 'refused' }) | undefined;
  /** Bytes after this position do not change the result. */
  last: number;
  expected: string;
};

type Step = 'value' | 'ended' | 'broken';

const END = -1;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const SHORT_ESCAPE = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) SHORT_ESCAPE[byte] = 1;

const HEX = new Int8Array(256).fill(-1);
for (const byte of Buffer.from('0123456789abcdefABCDEF')) {
  HEX[byte] = Number.parseInt(String.fromCharCode(byte), 16);
}

const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * How many bytes after a refusal the grammar is still checked. A longer text is refused for the first
 * finding.
 */
const BEHIND_REFUSAL = 128 * 1024;

/**
 * Checks valid UTF-8 `bytes`. A grammar fault takes precedence over a refusal in the 128 KiB before it,
 * because a text that is not JSON has no places to point to. Of several refusals, the first in the text is
 * reported.
 */
export function scanJson(bytes: Buffer, limits: JsonLimits): JsonFinding | undefined {
  const scan: Scan = {
    bytes,
    limits,
    at: 0,
    depth: 0,
    closers: new Uint8Array(64),
    members: 0,
    path: [],
    names: [],
    inName: false,
    refusal: undefined,
    last: Infinity,
    expected: '',
  };
  let step: Step = 'value';
  while (step === 'value') {
    step = scanValue(scan);
    if (step === 'ended') step = afterValue(scan);
    if (scan.at > scan.last) return scan.refusal;
  }
  return step === 'broken'
    ? { kind: 'grammar', at: scan.at, expected: scan.expected }
    : scan.refusal;
}

/** Reads a scalar to its end, or an opening bracket up to the start of its first value. */
function scanValue(scan: Scan): Step {
  const first = nextByte(scan);
  if (scan.refusal === undefined) {
    countMember(scan);
    if (scan.depth >= scan.limits.maxDepth) refuse(scan, 'too-deep');
  }
  if (first === QUOTE) return scanString(scan) ? 'ended' : 'broken';
  if (first === OPEN_OBJECT) return open(scan, CLOSE_OBJECT);
  if (first === OPEN_ARRAY) return open(scan, CLOSE_ARRAY);
  return first <= NINE ? scanNumber(scan) : scanLiteral(scan, first);
}

/** After a value: reads a comma and the start of the next value, closing brackets, or the end of the text. */
function afterValue(scan: Scan): Step {
  while (scan.depth > 0) {
    const byte = nextByte(scan);
    const closer = scan.closers[scan.depth - 1];
    if (byte === COMMA) {
      scan.at += 1;
      return closer === CLOSE_OBJECT ? scanName(scan) : nextItem(scan);
    }
    if (byte !== closer)
      return failScan(scan, closer === CLOSE_OBJECT ? 'a comma or }' : 'a comma or ]');
    close(scan);
  }
  return nextByte(scan) === END ? 'ended' : failScan(scan, 'nothing more');
}

/** Moves past an opening bracket. */
function push(scan: Scan, closer: number): void {
  scan.at += 1;
  if (scan.depth === scan.closers.length) {
    const larger = new Uint8Array(scan.closers.length * 2);
    larger.set(scan.closers);
    scan.closers = larger;
  }
  scan.closers[scan.depth] = closer;
  scan.depth += 1;
}

function open(scan: Scan, closer: number): Step {
  push(scan, closer);
  if (scan.refusal === undefined) {
    scan.path.push(0);
    scan.names.push(undefined);
  } else if (closer === CLOSE_ARRAY) {
    // There may be megabytes of brackets: beyond the limit only the grammar is checked.
    while (scan.bytes[scan.at] === OPEN_ARRAY && scan.at <= scan.last) push(scan, closer);
  }
  if (nextByte(scan) === closer) {
    close(scan);
    return 'ended';
  }
  return closer === CLOSE_OBJECT ? scanName(scan) : 'value';
}

function close(scan: Scan): void {
  scan.at += 1;
  scan.depth -= 1;
  if (scan.refusal !== undefined) return;
  scan.path.pop();
  scan.names.pop();
}

function nextItem(scan: Scan): Step {
  if (scan.refusal === undefined) {
    scan.path[scan.depth - 1] = Number(scan.path[scan.depth - 1]) + 1;
  }
  return 'value';
}

function scanName(scan: Scan): Step {
  if (nextByte(scan) !== QUOTE) return failScan(scan, 'a name in double quotes');
  const start = scan.at;
  scan.inName = true;
  const whole = scanString(scan);
  scan.inName = false;
  if (!whole) return 'broken';
  if (scan.refusal === undefined) noteName(scan, start);
  if (nextByte(scan) !== COLON) return failScan(scan, 'a colon');
  scan.at += 1;
  return 'value';
}

function noteName(scan: Scan, start: number): void {
  const raw = scan.bytes.toString('utf8', start + 1, scan.at - 1);
  const name = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
  const level = scan.depth - 1;
  scan.path[level] = name;
  countMember(scan);
  const seen = (scan.names[level] ??= new Set());
  if (seen.has(name)) refuse(scan, 'duplicate-name');
  else if (name === '__proto__') refuse(scan, 'forbidden-name');
  seen.add(name);
}

/** Reads a string from its opening quote to after its closing one. */
function scanString(scan: Scan): boolean {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.at + 1;
  // Megabytes pass through this loop; a call or a table look-up for each byte would halve its speed.
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH) {
      at = SHORT_ESCAPE[byteAt(bytes, at + 1)] === 1 ? at + 2 : afterUnicodeEscape(scan, at);
    } else if (byte === QUOTE) {
      scan.at = at + 1;
      return true;
    } else if (byte >= SPACE) {
      at += 1;
    } else {
      failScan(scan, 'an escape sequence instead of this control character', at);
      return false;
    }
  }
  // An invalid escape has already reported its fault and moved to the end.
  if (scan.expected === '') failScan(scan, 'a closing quote', end);
  return false;
}

/** Returns the position after the `\uXXXX` at `at`, or after two that form a surrogate pair. */
function afterUnicodeEscape(scan: Scan, at: number): number {
  const { bytes } = scan;
  const unit = escapedUnit(bytes, at);
  if (unit < 0) {
    failScan(scan, 'a JSON escape sequence', at);
    return bytes.length;
  }
  if (unit === 0) {
    refuse(scan, 'nul');
  } else if (unit >= 0xd800 && unit <= 0xdfff) {
    const low = unit <= 0xdbff ? escapedUnit(bytes, at + 6) : -1;
    if (low >= 0xdc00 && low <= 0xdfff) return at + 12;
    refuse(scan, 'lone-surrogate');
  }
  return at + 6;
}

/** Returns the UTF-16 code unit of the `\uXXXX` that starts at `at`; negative when it is invalid. */
function escapedUnit(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return -1;
  let unit = 0;
  // A digit of -1 sets the sign bit, and no later digit clears it.
  for (let digit = at + 2; digit < at + 6; digit += 1)
    unit = (unit << 4) | (HEX[bytes[digit] ?? 0] ?? -1);
  return unit;
}

function scanNumber(scan: Scan): Step {
  const { bytes, at } = scan;
  const end = numberEnd(bytes, at);
  if (end < 0) return failScan(scan, ~end === at ? 'a value' : 'a digit', ~end);
  if (scan.refusal === undefined && !fitsDouble(bytes.toString('latin1', at, end))) {
    refuse(scan, 'number-range');
  }
  scan.at = end;
  return 'ended';
}

function scanLiteral(scan: Scan, first: number): Step {
  const literal = LITERALS.find((word) => word[0] === first);
  if (literal === undefined) return failScan(scan, 'a value');
  const end = scan.at + literal.length;
  if (!scan.bytes.subarray(scan.at, end).equals(literal))
    return failScan(scan, 'true, false or null');
  scan.at = end;
  return 'ended';
}

function countMember(scan: Scan): void {
  scan.members += 1;
  if (scan.members > scan.limits.maxMembers) refuse(scan, 'too-many-members');
}

function refuse(scan: Scan, code: JsonRefusalCode): void {
  if (scan.refusal !== undefined) return;
  // A name that cannot be written has no pointer; the pointer leads to its object.
  const path = scan.inName ? scan.path.slice(0, -1) : scan.path.slice();
  scan.refusal = { kind: 'refused', code, path };
  scan.last = scan.at + BEHIND_REFUSAL;
}

function failScan(scan: Scan, expected: string, at: number = scan.at): Step {
  scan.at = at;
  scan.expected = expected;
  return 'broken';
}

/** Moves `at` to the next byte that is not white space, and returns that byte. */
function nextByte(scan: Scan): number {
  const { bytes } = scan;
  let { at } = scan;
  let byte = byteAt(bytes, at);
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
    at += 1;
    byte = byteAt(bytes, at);
  }
  scan.at = at;
  return byte;
}

function byteAt(bytes: Buffer, at: number): number {
  return at < bytes.length ? (bytes[at] as number) : END;
}
