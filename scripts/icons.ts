// npm run icons: draws the icons that some programs need as pixels from packages/server/src/web/assets/icon.svg.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const folder = join(resolve(import.meta.dirname, '..'), 'packages/server/src/web/assets');
/** Pixels of the icon on the home screen of a phone, and of the one in a tab. */
const sizes = { touch: 180, tab: 32 } as const;
/** Of the SVG at its own size, which is 32 units. */
const density = 72;

async function drawIcon(svg: Buffer, size: number): Promise<Buffer> {
  const picture = sharp(svg, { density: (density * size) / sizes.tab }).resize(size, size);
  return picture.png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer();
}

/** Puts a PNG picture into an ICO file: a directory of one entry, then the picture. */
function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const svg = await readFile(join(folder, 'icon.svg'));
// Phones round the corners themselves, and show what is transparent as black.
const square = Buffer.from(svg.toString('utf8').replace(' rx="6"', ''));
await writeFile(join(folder, 'touch-icon.png'), await drawIcon(square, sizes.touch));
await writeFile(join(folder, 'favicon.ico'), icoOf(await drawIcon(svg, sizes.tab), sizes.tab));
