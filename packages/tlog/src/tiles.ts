// Tiles of a log: which there are, what they are called, and how entries are packed (C2SP tlog-tiles, height 8).
import { isCount } from './hashing.ts';

/** Levels of the tree in one tile. */
export const tileHeight = 8;

/** Hashes in a full tile, and entries in a full bundle. */
export const tileWidth = 256;

const maxLevel = 63;

/** A tile of hashes. `width` is 256 for a full tile, and 1 to 255 for a partial one. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** A path below the address of a log, taken apart. A bundle of entries has no level. */
export type TilePath =
  | ({ readonly kind: 'hashes' } & Tile)
  | { readonly kind: 'entries'; readonly index: number; readonly width: number };

function isWidth(width: number): boolean {
  return Number.isInteger(width) && width >= 1 && width <= tileWidth;
}

function indexPath(index: number, width: number): string {
  if (!isCount(index) || !isWidth(width))
    throw new RangeError(`There is no tile ${index} of width ${width}.`);
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const elements = padded.match(/\d{3}/g) ?? [];
  const path = elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element));
  return path.join('/') + (width === tileWidth ? '' : `.p/${width}`);
}

/** Returns the path of a tile below the address of its log, such as `tile/0/x001/234.p/17`. */
export function tilePath(level: number, index: number, width: number): string {
  if (!Number.isInteger(level) || level < 0 || level > maxLevel)
    throw new RangeError(`There is no level ${level}.`);
  return `tile/${level}/${indexPath(index, width)}`;
}

/** Returns the path of a bundle of entries, such as `tile/entries/x001/234`. */
export function entriesPath(index: number, width: number): string {
  return `tile/entries/${indexPath(index, width)}`;
}

const path = /^tile\/(entries|[1-9]?\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Writes a path that was taken apart. @throws RangeError for numbers that no path has */
function formatPath(tile: TilePath): string {
  if (tile.kind === 'entries') return entriesPath(tile.index, tile.width);
  return tilePath(tile.level, tile.index, tile.width);
}

/** Reads the path of a tile; returns undefined for any other text, and for a second spelling of a path. */
export function parseTilePath(text: string): TilePath | undefined {
  const [, level = '', elements = 'none', partial = String(tileWidth)] = path.exec(text) ?? [];
  const place = { index: Number(elements.replaceAll(/[x/]/g, '')), width: Number(partial) };
  if (!isCount(place.index) || !isWidth(place.width) || Number(level) > maxLevel) return undefined;
  const tile: TilePath =
    level === 'entries'
      ? { kind: 'entries', ...place }
      : { kind: 'hashes', level: Number(level), ...place };
  return formatPath(tile) === text ? tile : undefined;
}

/** Returns how many hashes a level of tiles has in a tree of a size. */
function hashesAt(level: number, size: number): number {
  return Math.floor(size / tileWidth ** level);
}

/** Returns the width of a tile in a tree of a size; 0 if it has no such tile. */
export function tileWidthAt(level: number, index: number, size: number): number {
  return Math.min(tileWidth, Math.max(0, hashesAt(level, size) - index * tileWidth));
}

/**
 * Lists the tiles that a tree has and its older, smaller state has not: those that must be written when it
 * grows. The tiles of level 0 are also the bundles of entries. Each level is listed from its first new tile
 * to its last, the lowest level first.
 */
export function* newTiles(oldSize: number, newSize: number): Generator<Tile> {
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize)
    throw new RangeError(`A tree of ${oldSize} leaves does not grow to ${newSize}.`);
  for (let level = 0; hashesAt(level, newSize) > 0; level += 1) {
    const [before, now] = [hashesAt(level, oldSize), hashesAt(level, newSize)];
    if (before === now) continue;
    for (let index = Math.floor(before / tileWidth); index * tileWidth < now; index += 1)
      yield { level, index, width: tileWidthAt(level, index, newSize) };
  }
}

/** Lists all tiles of a tree. */
export function tilesOf(size: number): Generator<Tile> {
  return newTiles(0, size);
}

/** The largest entry, by its length prefix. */
export const maxEntryLength = 65_535;

/**
 * Packs entries into a bundle: each with its length before it, as two bytes, the higher first.
 *
 * @throws RangeError for an entry of more than 65,535 bytes
 */
export function packEntries(entries: readonly Uint8Array[]): Uint8Array {
  const length = entries.reduce((sum, entry) => sum + 2 + entry.length, 0);
  const packed = new Uint8Array(length);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > maxEntryLength)
      throw new RangeError(`An entry of ${entry.length} bytes is too long.`);
    packed.set([entry.length >> 8, entry.length & 0xff], at);
    packed.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return packed;
}

/** Unpacks a bundle into its entries, which share its memory; returns undefined if it was cut. */
export function unpackEntries(bundle: Uint8Array): readonly Uint8Array[] | undefined {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length;) {
    const [high, low] = [bundle[at], bundle[at + 1]];
    if (high === undefined || low === undefined) return undefined;
    const end = at + 2 + high * 256 + low;
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
