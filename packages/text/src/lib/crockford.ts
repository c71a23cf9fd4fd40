// Crockford's base32 for ids and tokens: upper case, fixed width, one encoding for each number.

/** The 32 digits in ascending order, so that texts of the same length sort like their numbers. */
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const VALUES = new Int8Array(128).fill(-1);
for (const [value, digit] of [...CROCKFORD].entries()) VALUES[digit.charCodeAt(0)] = value;

/**
 * Encodes an integer from 0 to 2^53-1 in exactly `width` digits (5 bits each). Higher bits are dropped; the
 * caller ensures that there are none.
 */
export function toCrockford(value: number, width: number): string {
  let text = '';
  let rest = value;
  for (let digit = 0; digit < width; digit += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * Decodes up to 10 digits (50 bits) of `text` from `start` to `end`. Returns NaN when a character is not a
 * digit. Lower case and the look-alikes I, L and O are rejected, because otherwise an id would have several
 * spellings.
 */
export function fromCrockford(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = VALUES[text.charCodeAt(at)] ?? -1;
    if (digit < 0) return Number.NaN;
    value = value * 32 + digit;
  }
  return value;
}
