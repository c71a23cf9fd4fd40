// Reads a published file of the log for readers: as it is stored, or cut out of the full tile.
import {
  entriesPath,
  packEntries,
  parseTilePath,
  tilePath,
  tileWidth,
  unpackEntries,
} from '@colophon/tlog';
import type { TilePath } from '@colophon/tlog';
import type { LogFiles } from '#storage';
import { cut } from './tiles.ts';

/** Returns a partial tile from the full one: its partial states are deleted once it is full. */
async function cutFromFull(files: LogFiles, tile: TilePath): Promise<Uint8Array | undefined> {
  if (tile.width === tileWidth) return undefined;
  if (tile.kind === 'hashes') {
    const full = await files.read(tilePath(tile.level, tile.index, tileWidth));
    return full && cut(full, tile.width);
  }
  const full = await files.read(entriesPath(tile.index, tileWidth));
  const entries = full && unpackEntries(full);
  return entries && packEntries(entries.slice(0, tile.width));
}

/** Returns the bytes at a path below the address of the log; undefined if the log has no such file. */
export async function readLogFile(files: LogFiles, path: string): Promise<Uint8Array | undefined> {
  if (path === 'checkpoint') return files.read(path);
  const tile = parseTilePath(path);
  if (tile === undefined) return undefined;
  return (await files.read(path)) ?? (await cutFromFull(files, tile));
}
