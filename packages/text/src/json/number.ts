// Numbers in JSON text: where one ends (RFC 8259 section 6), and whether it fits a double.

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/**
 * Returns the position after the number that starts at `start`. For invalid grammar, returns the bitwise
 * complement of the position where a digit is missing: always negative, and cheaper than an object.
 */
export function numberEnd(bytes: Buffer, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  // A leading zero ends the integer part: the 1 in 01 is not part of the number.
  let at = bytes[first] === ZERO ? first + 1 : afterDigits(bytes, first);
  if (at === first) return ~at;
  if (bytes[at] === DOT) {
    const fraction = at + 1;
    at = afterDigits(bytes, fraction);
    if (at === fraction) return ~at;
  }
  return bytes[at] === LOWER_E || bytes[at] === UPPER_E ? exponentEnd(bytes, at + 1) : at;
}

/** The smallest number that RFC 8785 writes with an exponent; smaller ones are written in digits. */
const WRITTEN_WITH_EXPONENT = 1e21;

/**
 * Whether a number is safe as a double. In digits, its integer part must be within 2^53-1, because otherwise
 * they would change. With an exponent it is an approximation and must only be finite, unless it is stored and
 * returned in digits: those would be refused when a client sends them back.
 */
export function fitsDouble(text: string): boolean {
  const value = Math.abs(Number(text));
  if (Math.trunc(value) <= Number.MAX_SAFE_INTEGER) return true;
  return /e/i.test(text) && value >= WRITTEN_WITH_EXPONENT && Number.isFinite(value);
}

function exponentEnd(bytes: Buffer, start: number): number {
  const first = bytes[start] === PLUS || bytes[start] === MINUS ? start + 1 : start;
  const at = afterDigits(bytes, first);
  return at === first ? ~at : at;
}

function afterDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}
