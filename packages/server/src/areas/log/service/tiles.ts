// The tiles of the stored tree, as the algorithms of trees read them.
import type { HashReader, Tile } from '@colophon/tlog';
import { readFromTiles } from '@colophon/tlog';
import type { Db } from '#database';
import { sha256 } from '#lib/sha256';
import { listTiles } from '../queries/index.ts';
import type { StoredTile, TileKey } from '../queries/index.ts';

const hashBytes = 32;
const empty = Buffer.alloc(0);

function nameOf({ level, index }: TileKey): string {
  return `${level}/${index}`;
}

/** Returns the bytes of a tile of this width from those of the stored tile, which may have grown since. */
export function cut(hashes: Uint8Array, width: number): Uint8Array {
  return hashes.subarray(0, width * hashBytes);
}

/** Returns a reader of the hashes in these tiles, of a tree with `size` leaves. */
export function readerOf(size: number, tiles: readonly StoredTile[]): HashReader {
  const stored = new Map(tiles.map((tile) => [nameOf(tile), tile.hashes]));
  return readFromTiles(sha256, size, (tile) => cut(stored.get(nameOf(tile)) ?? empty, tile.width));
}

/** Returns a reader of the hashes that a proof needs. */
export async function loadHashes(
  db: Db,
  size: number,
  needed: readonly Tile[],
): Promise<HashReader> {
  return readerOf(size, await listTiles(db, needed));
}

/** Returns the last tile of each level: what a tree grows from. */
export function edgeOf(size: number): readonly TileKey[] {
  const edge: TileKey[] = [];
  for (let count = size, level = 0; count > 0; count = Math.floor(count / 256), level += 1)
    edge.push({ level, index: Math.floor((count - 1) / 256) });
  return edge;
}
