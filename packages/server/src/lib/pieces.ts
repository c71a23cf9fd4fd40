// Processes long texts in pieces, so that other work of the event loop runs between them.
import { createHash, hash, randomBytes } from 'node:crypto';
import { storedText } from './stored-json.ts';
import { pieceLength, piecesOf } from '@colophon/text/lib/text-pieces';

/** A text of more than this many UTF-16 units is processed in pieces. */
export const longFrom = 64 * 1024;

let last: Promise<void> = Promise.resolve();

/** Resolves in a separate turn of the event loop. All long texts together process one piece in each turn. */
export function nextTurn(): Promise<void> {
  last = last.then(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
  return last;
}

/**
 * Returns a function to call with the UTF-16 units of each short text. It waits for a turn whenever their sum
 * reaches the length of a piece.
 */
export function yieldAfterPieces(): (units: number) => Promise<void> {
  let done = 0;
  return async (units) => {
    done += units;
    if (done < pieceLength) return;
    done = 0;
    await nextTurn();
  };
}

/** Members below this depth are not searched for long texts. */
const depthMax = 5;

/** Has its own limits on bytes and members, and any shape: skipped unless it is stored JSON. */
const bounded = 'metadata';

interface Texts {
  readonly content?: unknown;
  readonly text?: unknown;
  readonly metadata?: unknown;
  readonly article?: unknown;
  readonly comment?: unknown;
  readonly items?: unknown;
  readonly drafts?: unknown;
  readonly from_followed?: unknown;
  readonly hunks?: unknown;
  readonly lines?: unknown;
}

const sizeOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

/**
 * Returns the UTF-16 units of the texts of a value that may be long, or a number above `enough` when there
 * are more. The texts are found by their names in the contract, because visiting all members of a list costs
 * too much.
 */
export function lengthIn(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let sum = 0;
    for (let at = 0; at < value.length && sum <= enough; at += 1)
      sum += lengthIn(value[at], enough);
    return sum;
  }
  const { content, text, metadata, article, comment, items, hunks, lines }: Texts = value;
  const { drafts, from_followed: followed }: Texts = value;
  let inner = 0;
  for (const one of [article, comment, items, hunks, lines, drafts, followed])
    inner += lengthIn(one, enough);
  return sizeOf(content) + sizeOf(text) + sizeOf(storedText(metadata)) + inner;
}

/** Whether a value contains so much text that it is processed in pieces. */
export function isLong(value: unknown): boolean {
  return lengthIn(value, longFrom) > longFrom;
}

/** Shorter texts are escaped together with the JSON around them. */
const shortMax = 256;

/** Stores the pieces and returns their placeholder. */
type Stand = (pieces: Iterable<string>) => string;

function withoutTexts(value: unknown, stand: Stand, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > shortMax ? stand(quotedPieces(value)) : value;
  if (typeof value !== 'object' || value === null || depth > depthMax) return value;
  const json = storedText(value);
  // An object, because a serialiser expects one in its place.
  if (json !== undefined) return { [stand(piecesOf(json))]: 0 };
  if (Array.isArray(value)) return value.map((inner) => withoutTexts(inner, stand, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === bounded && storedText(inner) === undefined
        ? inner
        : withoutTexts(inner, stand, depth + 1),
    ]),
  );
}

/** Returns a text as a JSON string, in pieces. */
function* quotedPieces(text: string): Generator<string> {
  yield '"';
  for (const piece of piecesOf(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/**
 * Returns the pieces of the JSON text that `serialize` makes of a value, in order: long texts are escaped
 * piece by piece, and stored JSON is copied unchanged. Their placeholder is drawn at random for each value,
 * so that no text can contain it.
 */
export function* jsonPieces(
  serialize: (value: unknown) => string,
  value: unknown,
): Generator<string> {
  const mark = `~${randomBytes(15).toString('base64url')}~`;
  const taken: Iterable<string>[] = [];
  const skeleton = serialize(withoutTexts(value, (pieces) => `${mark}${taken.push(pieces) - 1}`));
  // Only a placeholder of stored JSON is the name of a member.
  for (const [at, part] of skeleton.split(new RegExp(`{?"${mark}(\\d+)"(?::0})?`)).entries())
    yield* at % 2 === 0 ? piecesOf(part) : (taken[Number(part)] ?? []);
}

/** A text as UTF-8, with the hash for its entity tag. */
export interface Encoded {
  readonly bytes: Buffer;
  /** SHA-1 in base64url. */
  readonly sha1: string;
}

/** Calls `take` with the pieces, joining small ones, each time in a separate turn. */
async function inTurns(pieces: Iterable<string>, take: (text: string) => void): Promise<void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < pieceLength) continue;
    take(text);
    text = '';
    await nextTurn();
  }
  take(text);
}

/** Returns a copy with room for `needed` bytes and half as many again. */
function grow(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.ceil(needed * 1.5));
  bytes.copy(larger);
  return larger;
}

/** Joins and encodes the pieces of a text of about `units` UTF-16 units. */
export async function encodePieces(pieces: Iterable<string>, units: number): Promise<Encoded> {
  const sha1 = createHash('sha1');
  let bytes: Buffer = Buffer.allocUnsafeSlow(units + pieceLength);
  let size = 0;
  await inTurns(pieces, (text) => {
    const needed = size + Buffer.byteLength(text);
    if (needed > bytes.length) bytes = grow(bytes.subarray(0, size), needed);
    const end = size + bytes.write(text, size);
    sha1.update(bytes.subarray(size, end));
    size = end;
  });
  return { bytes: bytes.subarray(0, size), sha1: sha1.digest('base64url') };
}

/** Returns a short text as bytes with their hash. */
export function encodeText(text: string): Encoded {
  const bytes = Buffer.from(text);
  return { bytes, sha1: hash('sha1', bytes, 'base64url') };
}

/** Returns the SHA-256 of the pieces of a text. */
export async function sha256Of(pieces: Iterable<string>): Promise<Buffer> {
  const sha256 = createHash('sha256');
  await inTurns(pieces, (text) => {
    sha256.update(text);
  });
  return sha256.digest();
}
