// Renders lines of text as pictures: shaped, in both directions, in any script that fonts support.
import sharp from 'sharp';
import type { OutputInfo } from 'sharp';
import type { Family } from './families.ts';
import { escapeMarkup } from './letters.ts';

export interface Style {
  readonly families: readonly Family[];
  /** In pixels. */
  readonly size: number;
  readonly weight: 'Regular' | 'Medium' | 'Semi-Bold' | 'Bold';
  /** `#rrggbb` */
  readonly colour: string;
}

export interface Setting extends Style {
  /** Lines are broken at this width; without it there is one line. */
  readonly width?: number;
  /** Of the lines; without it, that of the first letter. */
  readonly direction?: 'ltr' | 'rtl';
  /** Whether a word that is wider than the line may be broken. */
  readonly breakWords?: boolean;
}

/** A picture of text on a transparent background: four bytes for each pixel, cut to what is drawn. */
export interface Picture {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Of all letters of the bundled fonts, these are invisible when drawn bolder than regular. */
const neverBold = /\uFDFD/gu;

function markupOf(text: string): string {
  return escapeMarkup(text).replaceAll(neverBold, '<span weight="normal">$&</span>');
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Relative to the font size; the fonts' own line height is too wide for headlines. */
export const lineHeight = 0.88;

function fontOf({ families, size, weight }: Style): string {
  return `${families.map(({ name }) => name).join(', ')} ${weight} ${size}px`;
}

function pictureOf({ data, info }: { readonly data: Buffer; readonly info: OutputInfo }): Picture {
  return { pixels: data, width: info.width, height: info.height };
}

const blank: Picture = { pixels: Buffer.alloc(4), width: 1, height: 1 };

/**
 * Handles the two errors that depend on the text alone. For characters that leave no ink the library makes no
 * picture; no list of them is complete. And no picture is wider or higher than 32,767 pixels (cairo's
 * CAIRO_STATUS_INVALID_SIZE): returns undefined.
 */
function withoutPicture(error: Error): Picture | undefined {
  if (error.message.includes('no text to render')) return blank;
  if (error.message.includes('invalid value (typically too big)')) return undefined;
  throw error;
}

function draw(markup: string, setting: Setting): Promise<Picture | undefined> {
  const { width, breakWords } = setting;
  const text = sharp({
    text: {
      text: markup,
      font: fontOf(setting),
      dpi: 72,
      rgba: true,
      ...(width === undefined
        ? { wrap: 'none' as const }
        : { width, wrap: breakWords === true ? ('word-char' as const) : ('word' as const) }),
    },
  });
  return text.raw().toBuffer({ resolveWithObject: true }).then(pictureOf, withoutPicture);
}

/** An alpha value below this is invisible; that of the strut is. */
const seen = 8;

function hasInk({ pixels, width, height }: Picture, column: number): boolean {
  for (let row = 0; row < height; row += 1)
    if ((pixels[(row * width + column) * 4 + 3] ?? 0) >= seen) return true;
  return false;
}

/** Removes empty columns at the sides, so that text aligns exactly with a margin. */
function cutToInk(picture: Picture): Picture {
  const { pixels, width, height } = picture;
  let left = 0;
  let right = width;
  while (left < right - 1 && !hasInk(picture, left)) left += 1;
  while (right > left + 1 && !hasInk(picture, right - 1)) right -= 1;
  const rows = Array.from({ length: height }, (_, row) =>
    pixels.subarray((row * width + left) * 4, (row * width + right) * 4),
  );
  return { pixels: Buffer.concat(rows), width: right - left, height };
}

/** Invisible letters with a direction: the library takes that of the first letter for all lines. */
const firstOf = { ltr: '\u200E', rtl: '\u200F' } as const;

/** Renders several lines. Returns undefined when they exceed the maximum size of a picture. */
export async function setText(text: string, setting: Setting): Promise<Picture | undefined> {
  const span = `foreground="${setting.colour}" line_height="${lineHeight}" insert_hyphens="false"`;
  const first = setting.direction === undefined ? '' : firstOf[setting.direction];
  const picture = await draw(`<span ${span}>${first}${markupOf(text)}</span>`, setting);
  return picture && cutToInk(picture);
}

/** Extends from the highest letter to the lowest, and is almost invisible. */
const strut = '\u200E<span fgalpha="1">|</span>';

/**
 * Renders one line. Pictures of one font size have the same height, so that they align side by side. Returns
 * undefined when the line exceeds the maximum size of a picture.
 */
export async function setLine(text: string, style: Style): Promise<Picture | undefined> {
  // Isolated, so that the strut stays in front of the line in either direction.
  const isolated = `\u2068${markupOf(text)}\u2069`;
  const picture = await draw(
    `<span foreground="${style.colour}">${strut}${isolated}</span>`,
    style,
  );
  return picture && cutToInk(picture);
}

/** Scales a picture down to its box and centres it, if it is larger than the box. */
export async function shrunk(picture: Picture, room: Room): Promise<Picture> {
  const { pixels, width, height } = picture;
  if (width <= room.width && height <= room.height) return picture;
  const scaled = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .resize({
      width: Math.min(width, room.width),
      height: Math.min(height, room.height),
      fit: 'contain',
      background: '#00000000',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return pictureOf(scaled);
}

/** Registers a font file with the library. */
export async function addFont(file: string): Promise<void> {
  await sharp({ text: { text: '.', fontfile: file, font: 'Noto Sans 8px', dpi: 72 } })
    .raw()
    .toBuffer();
}
