// Files made of boxes (ISO 14496-12): AVIF with its dimensions, and MP4 with or without video; and WebM.
import type { Size } from './image-header.ts';
import { big, byteAt, bytesAt, textAt } from './byte-scanner.ts';
import type { Front, Look } from './byte-scanner.ts';

interface Box {
  readonly type: string;
  /** Offset of the contents. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the size of a box and of its header: 0 means up to the end, 1 means that eight more bytes give the
 * size.
 */
function boxSize(head: Uint8Array, at: number, to: number): { size: number; headSize: number } {
  const size = big(head, at, 4);
  if (size === 1)
    return { size: big(head, at + 8, 4) * 2 ** 32 + big(head, at + 12, 4), headSize: 16 };
  return { size: size === 0 ? to - at : size, headSize: 8 };
}

/** Returns the boxes of a range that begin inside the head; `end` may be after it. */
function* boxes(head: Uint8Array, from: number, to: number): Generator<Box> {
  let at = from;
  while (at + 8 <= Math.min(to, head.length)) {
    const { size, headSize } = boxSize(head, at, to);
    if (size < headSize) return;
    yield {
      type: textAt(head, at + 4, 4),
      start: at + headSize,
      end: Math.min(at + size, to),
    };
    at += size;
  }
}

/** Returns the box at the end of a path of types. */
function find(
  head: Uint8Array,
  within: Box | undefined,
  [type, ...further]: readonly string[],
): Box | undefined {
  if (within === undefined || type === undefined) return within;
  // A full box: version and flags precede its contents.
  const start = within.type === 'meta' ? within.start + 4 : within.start;
  for (const box of boxes(head, start, within.end))
    if (box.type === type) return find(head, box, further);
  return undefined;
}

/** Returns the brands of a file, the major brand first. */
function brandsOf(head: Uint8Array, { start, end }: Box): readonly string[] {
  const length = end - start;
  if (length < 8 || length > 1024 || length % 4 !== 0 || end > head.length) return [];
  const places = Array.from({ length: length / 4 }, (_, index) => start + index * 4);
  // The second entry is a version number.
  return places.filter((place) => place !== start + 4).map((place) => textAt(head, place, 4));
}

const pixels = ({ width, height }: Size) => width * height;

/** Returns the largest image that the properties of an AVIF file name (ISO 23008-12, `ispe`). */
function avifSize(head: Uint8Array, whole: Box): Size | undefined {
  const container = find(head, whole, ['meta', 'iprp', 'ipco']);
  if (container === undefined) return undefined;
  const sizes = [...boxes(head, container.start, container.end)]
    .filter(({ type, start, end }) => type === 'ispe' && end - start >= 12 && end <= head.length)
    .map(({ start }) => ({ width: big(head, start + 4, 4), height: big(head, start + 8, 4) }));
  if (sizes.some((size) => pixels(size) === 0)) return undefined;
  return sizes.toSorted((left, right) => pixels(right) - pixels(left))[0];
}

const mp4Brand = /^(?:iso[2-9m]|mp4[12]|avc1|dash|cmf[c-z2]|M4V[ HP]|MSNV|M4[AB] )$/;
const soundBrand = /^M4[AB] $/;
const secondBox = /^(?:moov|mdat|free|skip|wide|uuid|meta|moof|sidx|styp|pdin)$/;

/** More boxes than a film has on the path to its tracks. */
const boxesMax = 4_096;
const wayToHandler = ['moov', 'trak', 'mdia', 'hdlr'] as const;

interface Walk {
  readonly front: Front;
  readonly handlers: string[];
  left: number;
}

/** Collects the handler types of a film's tracks, in file order. */
function* walk(state: Walk, from: number, to: number, depth: number): Look<void> {
  const [sought, further] = [wayToHandler[depth], depth + 1];
  let at = from;
  while (at + 8 <= to && state.left > 0) {
    state.left -= 1;
    const bytes = yield* bytesAt(state.front, at, 16);
    const { size, headSize } = boxSize(bytes, 0, to - at);
    if (bytes.length < 8 || size < headSize) return;
    const [start, end] = [at + headSize, Math.min(at + size, to)];
    if (textAt(bytes, 4, 4) === sought) {
      if (further < wayToHandler.length) yield* walk(state, start, end, further);
      else state.handlers.push(textAt(yield* bytesAt(state.front, start + 8, 4), 0, 4));
    }
    at += size;
  }
}

export interface BoxedMedia {
  readonly type: 'image/avif' | 'video/mp4' | 'audio/mp4';
  readonly size?: Size;
}

/** Returns the type of an MP4 file: by its tracks, or by its brand when no track names a type. */
function* film(front: Front, brand: string): Look<BoxedMedia | undefined> {
  if (!mp4Brand.test(brand)) return undefined;
  const state: Walk = { front, handlers: [], left: boxesMax };
  yield* walk(state, 0, front.length, 0);
  const { handlers } = state;
  const isSound = soundBrand.test(brand) || handlers.includes('soun');
  return { type: isSound && !handlers.includes('vide') ? 'audio/mp4' : 'video/mp4' };
}

/** Recognises AVIF by its first bytes, and a film by its tracks, which may be at the end. */
export function* lookAtBoxes(front: Front): Look<BoxedMedia | undefined> {
  const { head, length } = front;
  const whole = { type: '', start: 0, end: length };
  const [first, second] = boxes(head, 0, length);
  if (first?.type !== 'ftyp' || !secondBox.test(second?.type ?? '')) return undefined;
  const brands = brandsOf(head, first);
  if (!brands.includes('avif') && !brands.includes('avis'))
    return yield* film(front, brands[0] ?? '');
  const size = avifSize(head, whole);
  return size && { type: 'image/avif', size };
}

/** Returns a number whose first byte gives its length (RFC 8794 section 4), and its end. */
function variable(head: Uint8Array, at: number, keepMarker: boolean) {
  const first = byteAt(head, at);
  const length = Math.clz32(first) - 23;
  const marker = keepMarker ? 0 : 2 ** (7 * length);
  const isWhole = first !== 0 && at + length <= head.length;
  return isWhole ? { value: big(head, at, length) - marker, end: at + length } : undefined;
}

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

function elementAt(head: Uint8Array, at: number): Element | undefined {
  const id = variable(head, at, true);
  const size = id && variable(head, id.end, false);
  return id && size && { id: id.value, start: size.end, end: size.end + size.value };
}

const ebml = 0x1a45dfa3;
const segment = 0x18538067;
const docType = 0x4282;

/** Requires an EBML header with the document type `webm`, followed by the segment. */
export function isWebm(head: Uint8Array): boolean {
  const header = elementAt(head, 0);
  if (header?.id !== ebml || header.end > head.length) return false;
  let declared = '';
  for (let at = header.start; at < header.end;) {
    const element = elementAt(head, at);
    if (element === undefined || element.end > header.end) return false;
    if (element.id === docType) declared = textAt(head, element.start, element.end - element.start);
    at = element.end;
  }
  return /^webm\0*$/.test(declared) && big(head, header.end, 4) === segment;
}
