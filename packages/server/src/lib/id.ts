// Ids: ULIDs whose last 12 bits are the bucket of their row.

import { createHash, randomFillSync } from 'node:crypto';

import { CROCKFORD, fromCrockford, toCrockford } from '@colophon/text/lib/crockford';

/** The number of buckets. It never changes. */
export const BUCKETS = 4096;

const MAX_TIME = 2 ** 48 - 1;
const HIGH_SPACE = 2 ** 50;
const LOW_MASK = 2 ** 18 - 1;
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Two digits for each 10-bit number: eight look-ups write the 80 bits after the time. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => toCrockford(value, 2));

const pool = new Uint32Array(1024);
let used = pool.length;

// The parts of the newest id of this process. The 128 bits are: time 48, high 50, low 18, bucket 12.
let lastTime = -1;
let lastTimeText = '';
let lastHigh = 0;

/**
 * Returns a new id in `bucket` (0 to 4095), made at `now` (milliseconds since 1970, by default the clock).
 *
 * Ids ascend within a process, regardless of bucket and clock: in the same or an earlier millisecond the bits
 * above the low 30 grow by a random step, so that the ids next to a known one cannot be guessed (an unlisted
 * article is readable by its id). When a millisecond has no room left, ids use the next one.
 *
 * @throws RangeError: for a bucket or time that is out of range
 */
export function newId(bucket: number, now: number = Date.now()): string {
  if ((bucket & (BUCKETS - 1)) !== bucket) throw new RangeError(`not a bucket: ${bucket}`);
  if (!(now >= 0 && now <= MAX_TIME)) throw new RangeError(`no id can contain the time ${now}`);
  const time = Math.floor(now);
  if (time > lastTime) {
    startMillisecond(time);
  } else {
    lastHigh += 1 + randomWord();
    if (lastHigh >= HIGH_SPACE) startMillisecond(lastTime + 1);
  }
  const low = (randomWord() & LOW_MASK) * BUCKETS + bucket;
  return lastTimeText + fiveDigits(lastHigh / 2 ** 25) + fiveDigits(lastHigh) + sixDigits(low);
}

/** Returns the bucket (0 to 4095) of an id's row. @throws RangeError: when the text is not an id */
export function bucketOf(id: string): number {
  const bits = fromCrockford(id, 23, 26);
  if (id.length !== 26 || Number.isNaN(bits)) throw new RangeError('not an id');
  return bits & (BUCKETS - 1);
}

/** The key of a row. Every statement is routed to the bucket. */
export interface RowKey {
  readonly bucket: number;
  readonly id: string;
}

/** Returns the key of an id's row. @throws RangeError: when the text is not an id */
export function keyOf(id: string): RowKey {
  return { bucket: bucketOf(id), id };
}

/** Returns the bucket of a row whose key is a text: a hash of the text. */
export function bucketOfText(text: string): number {
  return createHash('sha256').update(text).digest().readUInt16BE(0) % BUCKETS;
}

/** Whether a text is an id: 26 upper-case digits of Crockford's base32, at most 128 bits. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * Returns a lower bound for the ids that are made at or after a time (milliseconds since 1970), in any
 * bucket.
 */
export function firstIdAt(time: number): string {
  return `${toCrockford(Math.min(Math.max(Math.floor(time), 0), MAX_TIME), 10)}${'0'.repeat(16)}`;
}

function startMillisecond(time: number): void {
  if (time > MAX_TIME) throw new RangeError('no id can contain a later time');
  lastTime = time;
  lastTimeText = toCrockford(time, 10);
  // The top bit starts at 0: at least 2^17 ids fit even after the highest possible draw.
  lastHigh = (randomWord() & 0x1ffff) * 2 ** 32 + randomWord();
}

/**
 * Returns 32 random bits from a batch: requesting each from the system would cost more than the id itself.
 */
function randomWord(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const word = pool[used] ?? 0;
  used += 1;
  return word;
}

function fiveDigits(bits: number): string {
  return CROCKFORD.charAt((bits >>> 20) & 31) + pair(bits >>> 10) + pair(bits);
}

function sixDigits(bits: number): string {
  return pair(bits >>> 20) + pair(bits >>> 10) + pair(bits);
}

function pair(bits: number): string {
  return PAIRS[bits & 1023] ?? '';
}
