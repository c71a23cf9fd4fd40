// The pictures of the guides: WebP files in docs/images, each served under a name derived from its content.
import { readFileSync, readdirSync } from 'node:fs';
import { assetPath } from '../asset-path.ts';

export interface GuidePicture {
  /** As a guide names it: `images/desk.webp`. */
  readonly file: string;
  readonly path: string;
  readonly bytes: Buffer;
  /** As it is shown, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const folder = new URL('../../../../../docs/images/', import.meta.url);

/** Pixels of a picture for each pixel of the page that it shows (`scripts/guide-pictures.ts`). */
const density = 1.5;

/** Returns the width and height that a WebP file names in its header (RFC 9649, section 2). */
function pixelsOf(file: string, bytes: Buffer): readonly [number, number] {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk !== 'VP8 ') throw new Error(`docs/${file} is not a lossy WebP picture.`);
  return [bytes.readUInt16LE(26) & 0x3f_ff, bytes.readUInt16LE(28) & 0x3f_ff];
}

function pictureOf(name: string): GuidePicture {
  const file = `images/${name}`;
  const bytes = readFileSync(new URL(name, folder));
  const [width = 0, height = 0] = pixelsOf(file, bytes).map((one) => Math.round(one / density));
  return { file, path: assetPath(name, bytes), bytes, width, height };
}

export const guidePictures: readonly GuidePicture[] = readdirSync(folder)
  .filter((name) => name.endsWith('.webp'))
  .map(pictureOf);
