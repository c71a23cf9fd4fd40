// Sets lines of text as pictures: shaped, in both directions, in any script that a font is there for.
import sharp from 'sharp';
import type { Family } from './families.ts';
import { escaped } from './letters.ts';

export interface Style {
  readonly families: readonly Family[];
  /** In pixels. */
  readonly size: number;
  readonly weight: 'Regular' | 'Medium' | 'Semi-Bold' | 'Bold';
  /** `#rrggbb` */
  readonly colour: string;
}

export interface Setting extends Style {
  /** Lines are broken before they are wider than this; without it there is one line. */
  readonly width?: number;
  /** Whether a word that is wider may be broken. */
  readonly breakWords?: boolean;
}

/** A picture of text on nothing: four bytes for each pixel, cut to what is drawn. */
export interface Picture {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Of the letters' size; the fonts' own distance is wide for headlines. */
const lineHeight = 0.88;

function fontOf({ families, size, weight }: Style): string {
  return `${families.map(({ name }) => name).join(', ')} ${weight} ${size}px`;
}

async function draw(markup: string, setting: Setting): Promise<Picture> {
  const { width, breakWords } = setting;
  const { data, info } = await sharp({
    text: {
      text: markup,
      font: fontOf(setting),
      dpi: 72,
      rgba: true,
      ...(width === undefined
        ? { wrap: 'none' as const }
        : { width, wrap: breakWords === true ? ('word-char' as const) : ('word' as const) }),
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

const blank: Picture = { pixels: Buffer.alloc(4), width: 1, height: 1 };

/** Of characters that leave no ink the library makes no picture: there are more of them than any list has. */
function blankWhenInkless(error: Error): Picture {
  if (error.message.includes('no text to render')) return blank;
  throw error;
}

/** Less than this of a pixel nobody sees, the strut among it. */
const seen = 8;

function hasInk({ pixels, width, height }: Picture, column: number): boolean {
  for (let row = 0; row < height; row += 1)
    if ((pixels[(row * width + column) * 4 + 3] ?? 0) >= seen) return true;
  return false;
}

/** Without empty columns at its sides: what stands at a margin stands there exactly. */
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

/** Several lines. */
export async function setText(text: string, setting: Setting): Promise<Picture> {
  const span = `foreground="${setting.colour}" line_height="${lineHeight}" insert_hyphens="false"`;
  return cutToInk(
    await draw(`<span ${span}>${escaped(text)}</span>`, setting).catch(blankWhenInkless),
  );
}

/** Reaches from the highest letter to the lowest, and is all but invisible. */
const strut = '\u200E<span fgalpha="1">|</span>';

/** One line. Pictures of one size are equally high, so that lines can stand beside each other. */
export async function setLine(text: string, style: Style): Promise<Picture> {
  // Isolated, so that the strut stands in front of a line in any direction.
  const isolated = `\u2068${escaped(text)}\u2069`;
  return cutToInk(
    await draw(`<span foreground="${style.colour}">${strut}${isolated}</span>`, style),
  );
}

/** Lets the library know a font file. */
export async function addFont(file: string): Promise<void> {
  await sharp({ text: { text: '.', fontfile: file, font: 'Noto Sans 8px', dpi: 72 } })
    .raw()
    .toBuffer();
}
