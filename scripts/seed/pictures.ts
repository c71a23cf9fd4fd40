// The pictures of the seeded site, drawn as SVG and converted to PNG or WebP.
import sharp from 'sharp';

const [width, height] = [1280, 720];
const paper = '#f6efe2';
const ink = '#2b2622';
const red = '#a3341f';

export interface Picture {
  readonly alt: string;
  readonly format: 'png' | 'webp';
  readonly shapes: string;
}

function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

type Box = readonly [x: number, y: number, width: number, height: number];

function rect([x, y, w, h]: Box, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`;
}

/** Draws lines of text as they look from far away. */
function lines(x: number, y: number, w: number, count: number): string {
  return repeat(count, (index) =>
    rect([x, y + index * 26, index === count - 1 ? w * 0.6 : w - ((index * 37) % 40), 9], ink),
  );
}

export const pictures: Readonly<Record<string, Picture>> = {
  press: {
    alt: 'A page of grey lines of type; below them, apart, one short paragraph in red.',
    format: 'png',
    shapes:
      rect([400, 40, 480, 640], '#fffdf8') +
      lines(450, 100, 380, 15) +
      rect([540, 560, 200, 9], red) +
      rect([570, 586, 140, 9], red) +
      rect([600, 612, 80, 9], red),
  },
  bars: {
    alt: 'Four bars of unequal length: the third, for misread sources, is by far the longest.',
    format: 'webp',
    shapes: repeat(4, (index) =>
      rect([160, 130 + index * 125, [120, 40, 960, 310][index] ?? 0, 80], index === 2 ? red : ink),
    ),
  },
  steps: {
    alt: 'A staircase of seven even steps, one of them in red.',
    format: 'webp',
    shapes: repeat(7, (index) =>
      rect([190 + index * 130, 560 - index * 70, 130, 100 + index * 70], index === 4 ? red : ink),
    ),
  },
  margin: {
    alt: 'A page with a block of text in the middle and short red notes in both wide margins.',
    format: 'png',
    shapes:
      rect([290, 30, 700, 660], '#fffdf8') +
      lines(480, 150, 320, 16) +
      repeat(
        5,
        (index) =>
          rect([330 + (index % 2) * 500, 160 + index * 85, 110, 7], red) +
          rect([330 + (index % 2) * 500, 178 + index * 85, 80, 7], red),
      ),
  },
  paper: {
    alt: 'A wide empty sheet with three short vertical lines of writing near its right edge.',
    format: 'png',
    shapes:
      rect([240, 60, 800, 600], '#fffdf8') +
      repeat(3, (index) => rect([950 - index * 44, 130, 10, 330 - index * 70], ink)) +
      `<circle cx="330" cy="570" r="16" fill="${red}"/>`,
  },
  curve: {
    alt: 'A temperature curve over one day, interrupted once where the station was cleaned.',
    format: 'webp',
    shapes:
      rect([120, 600, 1040, 3], ink) +
      `<path d="M120 480 C 300 520 360 420 480 330 S 640 180 700 180" fill="none" stroke="${ink}" stroke-width="10"/><path d="M770 205 C 900 250 960 380 1160 430" fill="none" stroke="${ink}" stroke-width="10"/><circle cx="735" cy="192" r="12" fill="${red}"/>`,
  },
};

/** Returns the bytes of a picture; undefined for an unknown name. */
export async function draw(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const picture = pictures[name];
  if (picture === undefined) return undefined;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rect([0, 0, width, height], paper)}${picture.shapes}</svg>`;
  const bytes = await sharp(Buffer.from(svg)).toFormat(picture.format).toBuffer();
  return new Uint8Array(bytes);
}
