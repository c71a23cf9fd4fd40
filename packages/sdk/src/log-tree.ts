// Reads tiles that belong to a checkpoint: each is compared with its root, by the tiles above it.
import {
  equalBytes,
  fullTileHash,
  hashesNeededForRoot,
  hashLength,
  readFromTiles,
  rootOf,
  tilePath,
  tileWidth,
  tileWidthAt,
} from '@colophon/tlog';
import type { HashReader, Tile } from '@colophon/tlog';
import { logFault } from './log-fault.ts';
import { readTileFile, readTogether } from './log-files.ts';
import type { ReadLogFile } from './log-files.ts';
import { sha256 } from './log-hash.ts';
import type { KnownTree } from './log-types.ts';

export interface TreeReader {
  /** Returns the hashes of a tile, which belong to the tree. @throws LogFault */
  tile(level: number, index: number): Promise<Uint8Array>;
  /** Returns a reader of the hashes that these tiles contain. @throws LogFault */
  hashes(tiles: readonly Tile[]): Promise<HashReader>;
}

const keyOf = ({ level, index }: Pick<Tile, 'level' | 'index'>) => `${level}/${index}`;

/** How many tiles above the lowest level are kept: enough for a walk over all leaves. */
const keptTiles = 64;

/** The tiles on the right edge, which the root is computed from. */
async function edgeOf(
  read: ReadLogFile,
  { size, root }: KnownTree,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const tiles = hashesNeededForRoot(size);
  const bytes = await readTogether(read, (own) =>
    Promise.all(tiles.map((tile) => readTileFile(own, tile))),
  );
  const edge = new Map(tiles.map((tile, at) => [keyOf(tile), bytes[at] ?? new Uint8Array()]));
  const readTile = (tile: Tile) => edge.get(keyOf(tile)) ?? new Uint8Array();
  if (equalBytes(rootOf(sha256, size, readFromTiles(sha256, size, readTile)), root)) return edge;
  const paths = tiles.map(({ level, index, width }) => tilePath(level, index, width));
  const [path = 'checkpoint'] = paths;
  throw logFault('tile', `${paths.join(', ')} do not have the root of the checkpoint.`, { path });
}

/** Opens the tree of a checkpoint. */
export function openTree(read: ReadLogFile, tree: KnownTree): TreeReader {
  let edge: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  const kept = new Map<string, Promise<Uint8Array>>();

  async function load(level: number, index: number): Promise<Uint8Array> {
    const width = tileWidthAt(level, index, tree.size);
    if (width < tileWidth) {
      const bytes = (await (edge ??= edgeOf(read, tree))).get(keyOf({ level, index }));
      if (bytes === undefined) throw new RangeError(`The tree has no tile ${level}/${index}.`);
      return bytes;
    }
    const above = await tile(level + 1, Math.floor(index / tileWidth));
    const start = (index % tileWidth) * hashLength;
    const bytes = await readTileFile(read, { level, index, width });
    if (equalBytes(fullTileHash(sha256, bytes), above.subarray(start, start + hashLength)))
      return bytes;
    const path = tilePath(level, index, width);
    throw logFault('tile', `${path} is not the tile of the checkpoint.`, { path });
  }

  async function tile(level: number, index: number): Promise<Uint8Array> {
    if (level === 0) return load(level, index);
    const key = keyOf({ level, index });
    const found = kept.get(key) ?? load(level, index);
    kept.delete(key);
    kept.set(key, found);
    const [oldest] = kept.keys();
    if (kept.size > keptTiles && oldest !== undefined) kept.delete(oldest);
    return found;
  }

  return {
    tile,
    hashes: async (tiles) => {
      const bytes = await Promise.all(tiles.map(({ level, index }) => tile(level, index)));
      const byKey = new Map(tiles.map((one, at) => [keyOf(one), bytes[at] ?? new Uint8Array()]));
      return readFromTiles(sha256, tree.size, (one) => byKey.get(keyOf(one)) ?? new Uint8Array());
    },
  };
}
