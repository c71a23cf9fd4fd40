// Pieces that files of each type are made of, byte by byte.

export const latin = (text: string) => Buffer.from(text, 'latin1');
export const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
export const join = (...parts: readonly (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)));

export function number(value: number, length: number, order: 'big' | 'little' = 'big'): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) {
    const at = order === 'big' ? length - 1 - index : index;
    bytes[at] = Math.floor(value / 256 ** index) & 255;
  }
  return bytes;
}

// JPEG.
export const segment = (marker: number, contents: Buffer) =>
  join(Buffer.from([0xff, marker]), number(contents.length + 2, 2), contents);
export const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, join('\x08', number(height, 2), number(width, 2), hex('01 01 11 00')));
export const jfif = segment(0xe0, join('JFIF\0', hex('0101 00 0001 0001 0000')));
export const scan = join(segment(0xda, hex('01 01 00 00 3f 00')), hex('d2cf20'), hex('ffd9'));
export const jpeg = (...parts: readonly Buffer[]) => join(hex('ffd8'), ...parts, scan);

/** More than a megabyte of what cameras write before the picture. */
export const longMetadata = Array.from({ length: 17 }, () => segment(0xe2, Buffer.alloc(65_000)));

// GIF.
export const gif = (width: number, height: number, behind: Buffer, version = '89a') =>
  join(`GIF${version}`, number(width, 2, 'little'), number(height, 2, 'little'), behind);
export const gifImage = hex('2c 0000 0000 0100 0100 00 02 02 44 01 00 3b');
export const twoColours = hex('80 00 00 000000 ffffff');

// WebP and WAV.
export const riff = (form: string, ...chunks: readonly Buffer[]) => {
  const contents = join(form, ...chunks);
  return join('RIFF', number(contents.length, 4, 'little'), contents);
};
export const riffChunk = (id: string, contents: Buffer) =>
  join(id, number(contents.length, 4, 'little'), contents, Buffer.alloc(contents.length % 2));
export const vp8 = (width: number, height: number) =>
  riffChunk(
    'VP8 ',
    join(
      hex('300100 9d012a'),
      number(width, 2, 'little'),
      number(height, 2, 'little'),
      Buffer.alloc(20),
    ),
  );
export const vp8l = riffChunk('VP8L', join(hex('2f 07c00100 00'), Buffer.alloc(12)));
export const vp8x = (width: number, height: number) =>
  riffChunk(
    'VP8X',
    join(hex('10000000'), number(width - 1, 3, 'little'), number(height - 1, 3, 'little')),
  );
export const pcm = (format = 1, channels = 1) =>
  join(
    number(format, 2, 'little'),
    number(channels, 2, 'little'),
    hex('40 1f 00 00 80 3e 00 00 02 00 10 00'),
  );

// Boxes.
export const box = (type: string, ...parts: readonly Buffer[]) => {
  const contents = join(...parts);
  return join(number(contents.length + 8, 4), type, contents);
};
export const ftyp = (major: string, ...others: readonly string[]) =>
  box('ftyp', latin(major), number(0, 4), latin(others.join('')));
export const ispe = (width: number, height: number) =>
  box('ispe', number(0, 4), number(width, 4), number(height, 4));
export const avif = (major: string, ...sizes: readonly Buffer[]) =>
  join(
    ftyp(major, 'avif', 'mif1', 'miaf'),
    box('meta', number(0, 4), box('hdlr', Buffer.alloc(25)), box('iprp', box('ipco', ...sizes))),
    box('mdat', Buffer.alloc(30)),
  );
export const track = (handler: string) =>
  box('trak', box('mdia', box('hdlr', number(0, 8), latin(handler), Buffer.alloc(13))));
export const moov = (...handlers: readonly string[]) => box('moov', ...handlers.map(track));
/** A megabyte and more of sound or pictures. */
export const longMdat = box('mdat', Buffer.alloc(1_300_000));
export const mdat = box('mdat', Buffer.alloc(64));

// WebM.
const element = (id: string, contents: Buffer) =>
  join(hex(id), Buffer.from([0x80 | contents.length]), contents);
export const ebml = (docType: string) =>
  element('1a45dfa3', join(element('4286', hex('01')), element('4282', latin(docType))));
export const webmSegment = hex('18538067 01ffffffffffffff');

// Ogg and MP3.
export const oggPage = (flags: number, payload: Buffer) =>
  join(
    'OggS',
    Buffer.from([0, flags]),
    Buffer.alloc(20),
    Buffer.from([1, payload.length]),
    payload,
  );
export const mp3Frame = join(hex('fffb9000'), Buffer.alloc(413));
export const mpeg2Frame = join(hex('fff36000'), Buffer.alloc(152));
/** Seven bits in each byte of the size. */
export const id3 = (size: number, major = 4, contents = Buffer.alloc(size)) =>
  join(
    'ID3',
    Buffer.from([major, 0, 0, ...[21, 14, 7, 0].map((shift) => (size >> shift) & 127)]),
    contents,
  );

// FLAC and PDF.
export const flac = (first: string) =>
  join('fLaC', hex(first), hex('1000 1000 000000 000000 0ac442f0 00000000'), Buffer.alloc(34));
export const object = '1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';

export const html = '<!doctype html><html><script>alert(document.domain)</script></html>';
export const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

export type Row = readonly [name: string, bytes: Buffer | string];
