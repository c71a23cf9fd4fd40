// A log in memory that grows and stores its tiles as they are served.
import {
  createFrontier,
  entriesPath,
  newTiles,
  packEntries,
  readFromTiles,
  readGrown,
  rootOf,
  tileBytes,
  tilePath,
  tileWidth,
} from '../src/index.ts';
import type { HashReader, Tile } from '../src/index.ts';
import { sha256 } from './sha256.ts';

export interface TiledLog {
  readonly entries: Uint8Array[];
  /** By path, such as `tile/0/000.p/3`. */
  readonly files: Map<string, Uint8Array>;
}

export function emptyLog(): TiledLog {
  return { entries: [], files: new Map() };
}

/** Reads the hashes of a log from its tiles, at a size that it had after an append. */
export function readerOf({ files }: TiledLog, size: number): HashReader {
  const read = ({ level, index, width }: Tile) => {
    const tile = files.get(tilePath(level, index, width));
    if (tile === undefined) throw new Error(`There is no tile ${tilePath(level, index, width)}.`);
    return tile;
  };
  return readFromTiles(sha256, size, read);
}

/** Adds entries, and the tiles that are new. Earlier tiles stay, as readers of an earlier size need them. */
export function append(log: TiledLog, entries: readonly Uint8Array[]): void {
  const size = log.entries.length;
  log.entries.push(...entries);
  const grown = readGrown(sha256, { size, readHash: readerOf(log, size) }, entries);
  for (const tile of newTiles(size, log.entries.length)) {
    const { level, index, width } = tile;
    log.files.set(tilePath(level, index, width), tileBytes(tile, grown));
    if (level > 0) continue;
    const bundle = log.entries.slice(index * tileWidth, index * tileWidth + width);
    log.files.set(entriesPath(index, width), packEntries(bundle));
  }
}

export function rootOfLog(log: TiledLog, size = log.entries.length): Uint8Array {
  return rootOf(sha256, size, readerOf(log, size));
}

/** The root by the memory of the right edge alone. */
export function rootByFrontier(leaves: Iterable<Uint8Array>): Uint8Array {
  const frontier = createFrontier(sha256);
  for (const leaf of leaves) frontier.add(leaf);
  return frontier.root();
}
