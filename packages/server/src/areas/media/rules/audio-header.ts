// Headers of MP3, Ogg, WAV and FLAC: whether the structure of a file matches its first bytes.
import { big, byteAt, bytesAt, little, textAt } from './byte-scanner.ts';
import type { Front, Look } from './byte-scanner.ts';

/** Kilobits per second of layer III: of version 1, and of the later versions. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
] as const;
const sampleRates = [44_100, 48_000, 32_000, 0] as const;
/** By the version bits: 2.5, reserved, 2, 1. */
const rateDivisors = [4, 0, 2, 1] as const;

/**
 * Returns the length in bytes of the layer III frame at this offset (ISO 11172-3, 13818-3); 0 when there is
 * none.
 */
function frameLength(head: Uint8Array, at: number): number {
  const bits = big(head, at, 4);
  // Eleven synchronisation bits, two version bits, and the layer.
  if (bits >>> 21 !== 0x7ff || ((bits >>> 17) & 3) !== 1) return 0;
  const version = (bits >>> 19) & 3;
  const isFirst = version === 3;
  const bitRate = bitRates[isFirst ? 0 : 1][(bits >>> 12) & 15] ?? 0;
  const sampleRate = (sampleRates[(bits >>> 10) & 3] ?? 0) / (rateDivisors[version] ?? 0);
  // An undefined rate makes the product 0 or NaN.
  if (!(bitRate * sampleRate > 0 && sampleRate < 1e6)) return 0;
  return Math.floor(((isFirst ? 144_000 : 72_000) * bitRate) / sampleRate) + ((bits >>> 9) & 1);
}

/** Returns the size of an ID3v2 tag: seven bits of each of four bytes. */
function tagSize(head: Uint8Array): number {
  const [a, b, c, d] = [6, 7, 8, 9].map((at) => byteAt(head, at)) as [
    number,
    number,
    number,
    number,
  ];
  return ((a | b | c | d) & 0x80) !== 0 ? Number.NaN : (a << 21) | (b << 14) | (c << 7) | d;
}

const paddingBytes = 4_096;

/** Returns the offset of the audio data: after the ID3v2 tag (section 3.1), if there is one. */
function* behindTag(front: Front): Look<number> {
  const { head } = front;
  if (textAt(head, 0, 3) !== 'ID3') return 0;
  if (!/[\x02-\x04]/.test(textAt(head, 3, 1))) return Number.NaN;
  let at = 10 + tagSize(head);
  if (Number.isNaN(at)) return at;
  // Encoders leave padding after the tag.
  for (;;) {
    const bytes = yield* bytesAt(front, at, paddingBytes);
    const room = bytes.findIndex((byte) => byte !== 0);
    if (room >= 0) return at + room;
    if (bytes.length === 0) return Number.NaN;
    at += bytes.length;
  }
}

/**
 * Requires a whole frame, followed by another frame, a tag at the end, or the end. A leading tag may have any
 * size.
 */
export function* lookAtMp3(front: Front): Look<boolean> {
  const at = yield* behindTag(front);
  if (Number.isNaN(at)) return false;
  const size = frameLength(yield* bytesAt(front, at, 4), 0);
  if (size === 0) return false;
  const next = at + size;
  if (next >= front.length) return next === front.length;
  const behind = yield* bytesAt(front, next, 4);
  return textAt(behind, 0, 3) === 'TAG' || frameLength(behind, 0) > 0;
}

const oggSound = /^(?:\x01vorbis|OpusHead|\x7fFLAC|Speex {3})/;

/** RFC 3533: every stream that begins in the file is audio, or describes audio. */
export function isOggSound(head: Uint8Array): boolean {
  let at = 0;
  let streams = 0;
  while (textAt(head, at, 5) === 'OggS\0' && byteAt(head, at + 5) & 2) {
    const segments = byteAt(head, at + 26);
    const table = head.subarray(at + 27, at + 27 + segments);
    const start = at + 27 + segments;
    const first = textAt(head, start, 16);
    if (oggSound.test(first)) streams += 1;
    else if (!first.startsWith('fishead\0')) return false;
    at = start + table.reduce((sum, size) => sum + size, 0);
  }
  return streams > 0;
}

const soundFormats = new Set([1, 2, 3, 6, 7, 0x11, 0x55, 0xfffe]);

function isSoundFormat(head: Uint8Array, at: number): boolean {
  const isKnown = soundFormats.has(little(head, at + 8, 2));
  const [channels, rate] = [little(head, at + 10, 2), little(head, at + 12, 4)];
  return little(head, at + 4, 4) >= 16 && isKnown && channels > 0 && rate > 0;
}

/** Walks the chunks up to the one that names the format. */
export function isWav(head: Uint8Array): boolean {
  if (!/^RIFF[^]{4}WAVE$/.test(textAt(head, 0, 12))) return false;
  let at = 12;
  while (at + 24 <= head.length) {
    const id = textAt(head, at, 4);
    if (id === 'fmt ') return isSoundFormat(head, at);
    if (!/^[\x20-\x7e]{4}$/.test(id)) return false;
    const size = little(head, at + 4, 4);
    at += 8 + size + (size % 2);
  }
  return false;
}

/** RFC 9639 section 8.2: the stream information is the first metadata block. */
export function isFlac(head: Uint8Array): boolean {
  if (!/^fLaC[\0\x80]\0\0\x22$/.test(textAt(head, 0, 8)) || head.length < 42) return false;
  const [least, most] = [big(head, 8, 2), big(head, 10, 2)];
  return least >= 16 && most >= least && big(head, 18, 3) >>> 4 > 0;
}
