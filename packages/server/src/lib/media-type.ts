// The type of a file from its own bytes: a short table of what is taken, each with a look at its structure.
import { isFlac, isMp3, isOggSound, isWav } from './audio-header.ts';
import { boxedMedia, isWebm } from './boxed-media.ts';
import { textAt } from './byte-view.ts';
import { gifSize, jpegSize, pngSize, webpSize } from './image-header.ts';
import type { Size } from './image-header.ts';

/** Bytes from the front that are looked at; what says what it is only behind them is not taken. */
export const headBytes = 1024 * 1024;
/** Most files say what they are in the first of them. */
export const earlyBytes = 64 * 1024;

/** The header of the document, and an object soon behind it (ISO 32000-2 section 7.5). */
function isPdf(head: Uint8Array): boolean {
  return (
    /^%PDF-[12]\.\d[\s%]/.test(textAt(head, 0, 9)) &&
    /\d+\s+\d+\s+obj\b/.test(textAt(head, 9, 16_384))
  );
}

const images = [
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/gif', gifSize],
  ['image/webp', webpSize],
] as const;

const others = [
  ['video/webm', isWebm],
  ['audio/ogg', isOggSound],
  ['audio/wav', isWav],
  ['audio/flac', isFlac],
  ['application/pdf', isPdf],
  ['audio/mpeg', isMp3],
] as const;

export type RecognisedType =
  | (typeof images)[number][0]
  | (typeof others)[number][0]
  | NonNullable<ReturnType<typeof boxedMedia>>['type'];

export interface Recognised {
  readonly type: RecognisedType;
  /** Of images: what the header names. */
  readonly size?: Size;
}

/** Ogg and boxes may show something else further behind. */
const early = others.filter(([type]) => type !== 'audio/ogg');

/** From the first of the bytes that are looked at: what more of them could not change. */
export function recogniseEarly(head: Uint8Array, length: number): Recognised | undefined {
  for (const [type, sizeOf] of images) {
    const size = sizeOf(head);
    if (size !== undefined) return { type, size };
  }
  const other = early.find(([, fits]) => fits(head, length));
  return other && { type: other[0] };
}

/**
 * What a file of `length` bytes is that begins with `head`, its first MiB or all of it; undefined for
 * everything that is not taken. It does not prove the file harmless or whole.
 */
export function recognise(head: Uint8Array, length: number): Recognised | undefined {
  const found = recogniseEarly(head, length) ?? boxedMedia(head, length);
  if (found !== undefined) return found;
  return isOggSound(head) ? { type: 'audio/ogg' } : undefined;
}
