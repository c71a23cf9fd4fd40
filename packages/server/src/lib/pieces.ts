// Long texts in pieces, with other work of the event loop between them.
import { createHash, randomBytes } from 'node:crypto';
import { storedText } from './stored-json.ts';

/** UTF-16 units that are worked on at a time: less than a millisecond of JSON, hashing or UTF-8. */
const pieceLength = 32 * 1024;

/** UTF-16 units from which on a text is worked on in pieces. */
export const longFrom = 64 * 1024;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop of its own: all long texts together get one piece in each turn. */
export function nextTurn(): Promise<void> {
  last = last.then(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
  return last;
}

/** To be called with the UTF-16 units of each short text that is worked on: waits for a turn after so many. */
export function turnsAfterPieces(): (units: number) => Promise<void> {
  let done = 0;
  return async (units) => {
    done += units;
    if (done < pieceLength) return;
    done = 0;
    await nextTurn();
  };
}

/** The pieces of a text, in order. None ends between the halves of a surrogate pair. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const near = from + pieceLength;
    const isSplit = /[\ud800-\udbff]/.test(text.charAt(near - 1));
    const to = isSplit ? near - 1 : near;
    yield text.slice(from, to);
    from = to;
  }
}

/** Deeper members of a value are not searched for long texts. */
const depthMax = 5;

/** Bounded by itself, in bytes and members, and of any shape: left as it is where it is not stored JSON. */
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
 * UTF-16 units of the texts of a value that may be long, or more than `enough` where there are more. They are
 * looked for by the names that they have in the contract: to go through all members of a list costs too much.
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

/** Whether a value holds so much text that it is worked on in pieces. */
export function isLong(value: unknown): boolean {
  return lengthIn(value, longFrom) > longFrom;
}

/** Shorter ones are escaped together with what is around them. */
const shortMax = 256;

/** Keeps the place of pieces, and answers their mark. */
type Stand = (pieces: Iterable<string>) => string;

function withoutTexts(value: unknown, stand: Stand, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > shortMax ? stand(quotedPieces(value)) : value;
  if (typeof value !== 'object' || value === null || depth > depthMax) return value;
  const json = storedText(value);
  // An object, because that is what a serialiser takes in its place.
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

/** A text as a JSON string. */
function* quotedPieces(text: string): Generator<string> {
  yield '"';
  for (const piece of piecesOf(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/**
 * The pieces of the JSON text that `serialize` makes of a value, in order: the long texts in it are escaped
 * piece by piece, and stored JSON is taken as it is. Their place is kept by a mark that is drawn for each
 * value, so that no text can hold it.
 */
export function* jsonPieces(
  serialize: (value: unknown) => string,
  value: unknown,
): Generator<string> {
  const mark = `~${randomBytes(15).toString('base64url')}~`;
  const taken: Iterable<string>[] = [];
  const skeleton = serialize(withoutTexts(value, (pieces) => `${mark}${taken.push(pieces) - 1}`));
  // Only what stands for stored JSON is the name of a member.
  for (const [at, part] of skeleton.split(new RegExp(`{?"${mark}(\\d+)"(?::0})?`)).entries())
    yield* at % 2 === 0 ? piecesOf(part) : (taken[Number(part)] ?? []);
}

/** A text as UTF-8, with the hash that tags it. */
export interface Encoded {
  readonly bytes: Buffer;
  /** SHA-1 in base64url. */
  readonly sha1: string;
}

/** Calls `take` with the pieces, small ones together, each time in a turn of its own. */
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

/** A copy with room for `needed` bytes and half as many again. */
function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.ceil(needed * 1.5));
  bytes.copy(larger);
  return larger;
}

/** The pieces of a text of about so many UTF-16 units as one. */
export async function encoded(pieces: Iterable<string>, units: number): Promise<Encoded> {
  const sha1 = createHash('sha1');
  let bytes: Buffer = Buffer.allocUnsafeSlow(units + pieceLength);
  let size = 0;
  await inTurns(pieces, (text) => {
    const needed = size + Buffer.byteLength(text);
    if (needed > bytes.length) bytes = grown(bytes.subarray(0, size), needed);
    const end = size + bytes.write(text, size);
    sha1.update(bytes.subarray(size, end));
    size = end;
  });
  return { bytes: bytes.subarray(0, size), sha1: sha1.digest('base64url') };
}

/** The SHA-256 of the pieces of a text. */
export async function sha256Of(pieces: Iterable<string>): Promise<Buffer> {
  const sha256 = createHash('sha256');
  await inTurns(pieces, (text) => {
    sha256.update(text);
  });
  return sha256.digest();
}
