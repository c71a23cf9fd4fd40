// Publishes the tree: writes its new tiles, signs its checkpoint, and puts that in place last.
import {
  entriesPath,
  newTiles,
  packEntries,
  tilePath,
  tileWidth,
  writeCheckpoint,
  writeNote,
} from '@colophon/tlog';
import type { NoteSignature, Tile } from '@colophon/tlog';
import type { Db } from '#database';
import type { LogFiles } from '#storage';
import { listEntries, listTiles } from '../queries/index.ts';
import type { Head } from '../queries/index.ts';
import type { LogKeyPair } from './key.ts';
import { cut } from './tiles.ts';

/** Writes one tile; one of the lowest level with the bundle of its entries. */
async function writeTile(db: Db, files: LogFiles, tile: Tile): Promise<void> {
  const { level, index, width } = tile;
  const [stored] = await listTiles(db, [tile]);
  if (stored === undefined)
    throw new Error(`Tile ${index} of level ${level} is not in the database.`);
  if (level === 0) {
    const first = index * tileWidth;
    const entries = await listEntries(db, first, first + width);
    if (entries.length !== width) throw new Error(`Leaves after ${first} are not in the database.`);
    await files.write(
      entriesPath(index, width),
      packEntries(entries.map((one) => Buffer.from(one))),
    );
  }
  await files.write(tilePath(level, index, width), cut(stored.hashes, width));
}

/** Writes the tiles by which a tree of `to` leaves differs from one of `from`. A repetition writes the same. */
export async function writeTiles(
  db: Db,
  files: LogFiles,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const tile of newTiles(from, to)) await writeTile(db, files, tile);
}

/** Deletes the partial states of tiles that are full since the tree had `from` leaves. */
export async function deletePartials(
  files: LogFiles,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const { level, index, width } of newTiles(from, to)) {
    if (width < tileWidth) continue;
    await files.deletePartials(tilePath(level, index, width));
    if (level === 0) await files.deletePartials(entriesPath(index, width));
  }
}

export interface SignedCheckpoint {
  readonly size: number;
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
  readonly note: string;
}

/** Signs the checkpoint of a tree with each key. The same tree has the same bytes. */
export function signCheckpoint(
  { origin, size, root }: Pick<Head, 'origin' | 'size' | 'root'>,
  keys: readonly LogKeyPair[],
): SignedCheckpoint {
  const text = writeCheckpoint({ origin, size, root: Buffer.from(root, 'hex'), extensions: [] });
  const signatures = keys.map((key) => key.sign(text));
  return { size, text, signatures, note: writeNote(text, signatures) };
}
