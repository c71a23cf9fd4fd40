// The type of a file by its own bytes: a short table of accepted types, each with a check of its structure.
import { isFlac, isOggSound, isWav, lookAtMp3 } from './audio-header.ts';
import { isWebm, lookAtBoxes } from './boxed-media.ts';
import type { BoxedMedia } from './boxed-media.ts';
import { gifSize, lookAtJpeg, pngSize, webpSize } from './image-header.ts';
import type { Size } from './image-header.ts';
import { textAt, within } from './byte-scanner.ts';
import type { Front, Look } from './byte-scanner.ts';

/** Bytes at the front that are scanned together. */
const headBytes = 1024 * 1024;
/** Most files show their type in these first bytes. */
const earlyBytes = 64 * 1024;

/** The number of occurrences of `obj` that are checked. */
const objectsMax = 1_000;

/** Returns whether a document has a PDF header, followed by an object (ISO 32000-2 section 7.5). */
function isPdf(head: Uint8Array): boolean {
  if (!/^%PDF-[12]\.\d[\s%]/.test(textAt(head, 0, 9))) return false;
  const text = textAt(head, 0, head.length);
  let at = text.indexOf('obj');
  for (let count = 0; at >= 0 && count < objectsMax; count += 1) {
    if (/\d\s+\d+\s+obj\b/.test(text.slice(Math.max(0, at - 32), at + 4))) return true;
    at = text.indexOf('obj', at + 1);
  }
  return false;
}

const images = [
  ['image/png', pngSize],
  ['image/gif', gifSize],
  ['image/webp', webpSize],
] as const;

const others = [
  ['video/webm', isWebm],
  ['audio/wav', isWav],
  ['audio/flac', isFlac],
  ['application/pdf', isPdf],
] as const;

export type RecognisedType =
  | (typeof images)[number][0]
  | (typeof others)[number][0]
  | NonNullable<BoxedMedia>['type']
  | 'image/jpeg'
  | 'audio/mpeg'
  | 'audio/ogg';

export interface Recognised {
  readonly type: RecognisedType;
  /** For images: the size in the header. */
  readonly size?: Size;
}

/** Recognises a type by the front alone. */
function recogniseFront({ head }: Front): Recognised | undefined {
  for (const [type, sizeOf] of images) {
    const size = sizeOf(head);
    if (size !== undefined) return { type, size };
  }
  const other = others.find(([, fits]) => fits(head));
  return other && { type: other[0] };
}

/** Recognises a type that may follow metadata of any size. */
function* recogniseBehind(front: Front): Look<Recognised | undefined> {
  const size = yield* lookAtJpeg(front);
  if (size !== undefined) return { type: 'image/jpeg', size };
  return (yield* lookAtMp3(front)) ? { type: 'audio/mpeg' } : undefined;
}

/**
 * Returns the type of a file of `length` bytes as its bytes arrive; undefined for types that are not
 * accepted. Most files are recognised by their first 64 KiB. The result does not prove that the file is
 * harmless or complete.
 */
export function* lookAtType(length: number): Look<Recognised | undefined> {
  let head = yield { at: 0, length: Math.min(length, earlyBytes) };
  const early = recogniseFront({ head, length }) ?? within(recogniseBehind({ head, length }));
  if (early !== undefined) return early;
  // Ogg and box files may contain something else further on.
  if (length > earlyBytes) {
    const more = yield { at: earlyBytes, length: Math.min(length, headBytes) - earlyBytes };
    head = Buffer.concat([head, more]);
  }
  const front = { head, length };
  const found = recogniseFront(front) ?? (yield* lookAtBoxes(front));
  if (found !== undefined) return found;
  return isOggSound(head) ? { type: 'audio/ogg' } : yield* recogniseBehind(front);
}
