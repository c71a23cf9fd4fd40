// The text of access tokens: creates, parses and finds them without a database.

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { CROCKFORD, fromCrockford, toCrockford } from './crockford.ts';

/** Staging has its own prefix, so that production rejects its tokens by their form. */
export type Deployment = 'production' | 'staging';

const PREFIXES: Record<Deployment, string> = { production: 'clp_', staging: 'clps_' };

// 52 digits of 5 random bits (260), then 3 digits of 3 random and 12 bucket bits, then a CRC-32 over all
// preceding characters in 7 digits. Every bit is used or checked, so a token has exactly one spelling.
const RANDOM_DIGITS = 52;
const BUCKET_DIGITS = 3;
const CHECK_DIGITS = 7;
/** The 12 bits of a bucket, as in an id. */
const BUCKETS = 2 ** 12;
const BODY_DIGITS = RANDOM_DIGITS + BUCKET_DIGITS + CHECK_DIGITS;

const BODY = /^[0-9A-HJKMNP-TV-Z]*$/;
const IN_TEXT = new RegExp(`clps?_[0-9A-HJKMNP-TV-Z]{${BODY_DIGITS}}`, 'g');
const SHOWN = 12;
// Includes truncated and mistyped tokens: even part of a token must not leak.
const LIKE_ONE = /clps?_[0-9A-HJKMNP-TV-Z]{20,}/g;

/**
 * Returns a new token whose row is in `bucket` (0 to 4095). Only `hash` (SHA-256, 32 bytes) and `prefix` (its
 * first 12 characters, shown in lists) may be stored.
 */
export function mintToken(options: { bucket: number; deployment: Deployment }): {
  token: string;
  hash: Buffer;
  prefix: string;
} {
  const { bucket, deployment } = options;
  if ((bucket & (BUCKETS - 1)) !== bucket) throw new RangeError(`not a bucket: ${bucket}`);
  const random = randomBytes(RANDOM_DIGITS + 1);
  let unchecked = PREFIXES[deployment];
  for (const byte of random.subarray(1)) unchecked += CROCKFORD.charAt(byte & 31);
  unchecked += toCrockford((random.readUInt8(0) % 8) * BUCKETS + bucket, BUCKET_DIGITS);
  const token = unchecked + checkDigits(unchecked);
  return { token, hash: hash('sha256', token, 'buffer'), prefix: token.slice(0, SHOWN) };
}

/**
 * Returns where to find a token: its bucket and the SHA-256 stored there. Returns undefined for everything
 * that this deployment never issued: another format, a typo, a token of the other deployment.
 */
export function readToken(
  text: string,
  deployment: Deployment,
): { bucket: number; hash: Buffer } | undefined {
  const prefix = PREFIXES[deployment];
  if (text.length !== prefix.length + BODY_DIGITS || !text.startsWith(prefix)) return undefined;
  if (!BODY.test(text.slice(prefix.length)) || !isChecked(text)) return undefined;
  const end = text.length - CHECK_DIGITS;
  const bucket = fromCrockford(text, end - BUCKET_DIGITS, end) & (BUCKETS - 1);
  return { bucket, hash: hash('sha256', text, 'buffer') };
}

/**
 * Returns every token of either deployment in a text, in order and without repetitions; linear in the length.
 * Used to reject texts that leak a token.
 */
export function findTokens(text: string): string[] {
  // Nearly no text contains one, and this check is many times cheaper than the pattern.
  if (!text.includes('clp')) return [];
  const found = new Set<string>();
  for (const [candidate] of text.matchAll(IN_TEXT)) if (isChecked(candidate)) found.add(candidate);
  return [...found];
}

function escapedName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function* textsOf(value: unknown, pointer: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [pointer, value];
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const place = `${pointer}/${escapedName(name)}`;
      yield* textsOf(name, place);
      yield* textsOf(member, place);
    }
  }
}

/** Returns RFC 6901 pointers to the texts and names of a JSON value that contain a token. */
export function tokenPointers(value: unknown): string[] {
  const found = [...textsOf(value, '')].filter(([, text]) => findTokens(text).length > 0);
  return found.map(([pointer]) => pointer);
}

/**
 * Returns the text with everything that looks like a token, or like the beginning of one, cut to its first 12
 * characters.
 */
export function maskTokens(text: string): string {
  if (!text.includes('clp')) return text;
  return text.replaceAll(LIKE_ONE, (token) => `${token.slice(0, SHOWN)}...`);
}

function isChecked(token: string): boolean {
  return token.endsWith(checkDigits(token.slice(0, -CHECK_DIGITS)));
}

function checkDigits(unchecked: string): string {
  return toCrockford(crc32(unchecked), CHECK_DIGITS);
}
