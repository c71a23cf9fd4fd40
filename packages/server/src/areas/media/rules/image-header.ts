// Headers of PNG, JPEG, GIF and WebP: whether the structure is valid, and the size in pixels.
import { crc32 } from 'node:zlib';
import { big, byteAt, bytesAt, little, textAt } from './byte-scanner.ts';
import type { Front, Look } from './byte-scanner.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(width: number, height: number): Size | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

const pngStart = '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR';
/** Bit depth, colour type, and three bytes of which only the last may differ from 0. */
const pngForms =
  /^(?:[\x01\x02\x04\x08\x10]\0|[\x08\x10][\x02\x04\x06]|[\x01\x02\x04\x08]\x03)\0\0[\0\x01]$/;

/** PNG (third edition) section 11.2.1: the signature and a valid IHDR. */
export function pngSize(head: Uint8Array): Size | undefined {
  if (textAt(head, 0, 16) !== pngStart || head.length < 33) return undefined;
  if (!pngForms.test(textAt(head, 24, 5))) return undefined;
  if (crc32(head.subarray(12, 29)) !== big(head, 29, 4)) return undefined;
  const [width, height] = [big(head, 16, 4), big(head, 20, 4)];
  return Math.max(width, height) < 2 ** 31 ? sizeOf(width, height) : undefined;
}

const gifBlocks = /^(?:,|!(?:\x01|\xf9|\xfe|\xff))/;

/** GIF89a section 18: the screen and its colours, followed by an image or an extension. */
export function gifSize(head: Uint8Array): Size | undefined {
  if (!/^GIF8[79]a$/.test(textAt(head, 0, 6))) return undefined;
  const flags = byteAt(head, 10);
  const colours = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  if (!gifBlocks.test(textAt(head, 13 + colours, 2))) return undefined;
  return sizeOf(little(head, 6, 2), little(head, 8, 2));
}

/** Returns whether a marker begins a frame: 0xC0 to 0xCF except three. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Returns whether a segment may precede the frame: not below 0xC0, and not 0xD0 to 0xDA. */
function maySkip(marker: number): boolean {
  return marker >= 0xc0 && (marker < 0xd0 || marker > 0xda);
}

function frameSize(frame: Uint8Array): Size | undefined {
  const isWhole = big(frame, 2, 2) >= 11 && frame.length >= 9;
  return isWhole ? sizeOf(big(frame, 7, 2), big(frame, 5, 2)) : undefined;
}

/** More segments than any camera or editor writes: 52 MB contain 800 of the longest. */
const segmentsMax = 4_096;

/** ITU T.81 section B.1: walks the segments up to the frame header, at any offset. */
export function* lookAtJpeg(front: Front): Look<Size | undefined> {
  if (textAt(front.head, 0, 3) !== '\xff\xd8\xff') return undefined;
  let at = 2;
  for (let count = 0; count < segmentsMax; count += 1) {
    const bytes = yield* bytesAt(front, at, 9);
    if (bytes.length < 4 || bytes[0] !== 0xff) return undefined;
    const marker = byteAt(bytes, 1);
    const length = big(bytes, 2, 2);
    if (isFrame(marker)) return frameSize(bytes);
    if (!maySkip(marker) || (length < 2 && marker !== 0xff)) return undefined;
    // Any number of 0xFF may precede a marker.
    at += marker === 0xff ? 1 : 2 + length;
  }
  return undefined;
}

function lossless(head: Uint8Array): Size | undefined {
  const bits = little(head, 21, 4);
  // Two numbers of 14 bits and a flag, followed by a version of three bits.
  if (byteAt(head, 20) !== 0x2f || bits >= 2 ** 29) return undefined;
  return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function lossy(head: Uint8Array): Size | undefined {
  if (textAt(head, 23, 3) !== '\x9d\x01\x2a' || byteAt(head, 20) & 1) return undefined;
  return sizeOf(little(head, 26, 2) & 0x3fff, little(head, 28, 2) & 0x3fff);
}

function extendedSize(head: Uint8Array): Size | undefined {
  if (little(head, 16, 4) !== 10) return undefined;
  return sizeOf(little(head, 24, 3) + 1, little(head, 27, 3) + 1);
}

const webpChunks: Readonly<Record<string, (head: Uint8Array) => Size | undefined>> = {
  'VP8 ': lossy,
  VP8L: lossless,
  VP8X: extendedSize,
};

/** RFC 9649: the first chunk is one of three. */
export function webpSize(head: Uint8Array): Size | undefined {
  if (!/^RIFF[^]{4}WEBP$/.test(textAt(head, 0, 12)) || head.length < 30) return undefined;
  return webpChunks[textAt(head, 12, 4)]?.(head);
}
