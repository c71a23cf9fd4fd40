// Takes over leaves that were published and that a restored database does not have.
import {
  createFrontier,
  entriesPath,
  equalBytes,
  fullTileHash,
  leafHash,
  newTiles,
  tilesOf,
  tileWidth,
  unpackEntries,
} from '@colophon/tlog';
import type { Checkpoint, Frontier } from '@colophon/tlog';
import type { Config } from '#config';
import type { Database, Db } from '#database';
import { sha256 } from '#lib/sha256';
import type { LogFiles } from '#storage';
import { findHead, listTiles } from '../queries/index.ts';
import { findLastPublished } from './history.ts';
import { adopt } from './sequence.ts';
import { cut } from './tiles.ts';

const hashBytes = 32;

/** Returns the tree of the database, to which leaves can be added. */
async function frontierOf(db: Db, size: number): Promise<Frontier> {
  const frontier = createFrontier(sha256);
  for (const tile of tilesOf(size)) {
    if (tile.level > 0) break;
    const [stored] = await listTiles(db, [tile]);
    const hashes = cut(stored?.hashes ?? Buffer.alloc(0), tile.width);
    if (tile.width === tileWidth) frontier.add(fullTileHash(sha256, hashes), 8);
    else
      for (let at = 0; at < hashes.length; at += hashBytes)
        frontier.add(hashes.slice(at, at + hashBytes));
  }
  return frontier;
}

/** Yields the published entries of a tree from the leaf `from` on. */
async function* publishedEntries(
  files: LogFiles,
  from: number,
  size: number,
): AsyncGenerator<readonly Uint8Array[]> {
  for (const { level, index, width } of newTiles(from, size)) {
    if (level > 0) return;
    const bundle = await files.read(entriesPath(index, width));
    const entries = bundle && unpackEntries(bundle);
    if (entries?.length !== width)
      throw new Error(
        `${entriesPath(index, width)} is missing or damaged in the media store: put a mirror's copy there.`,
      );
    yield entries.slice(Math.max(0, from - index * tileWidth));
  }
}

async function requireContinuation(
  db: Db,
  files: LogFiles,
  from: number,
  { size, root }: Checkpoint,
): Promise<void> {
  const frontier = await frontierOf(db, from);
  for await (const entries of publishedEntries(files, from, size))
    for (const entry of entries) frontier.add(leafHash(sha256, entry));
  if (equalBytes(frontier.root(), root)) return;
  throw new Error(
    'The published tree does not continue that of this database: the database is of another history. Restore one that was published.',
  );
}

/**
 * Adds the published leaves that the database lost, after it was checked that they continue its tree. Returns how
 * many. A run that was killed is continued by the next one.
 * @throws Error in a sentence for the operator
 */
export async function recoverLog(
  { db, config, now }: { readonly db: Database; readonly config: Config; readonly now: () => Date },
  files: LogFiles,
): Promise<number> {
  const [head, { checkpoint }] = await Promise.all([
    findHead(db),
    findLastPublished(config, files),
  ]);
  if (head === undefined || checkpoint === undefined || checkpoint.size <= head.size) return 0;
  await requireContinuation(db, files, head.size, checkpoint);
  let count = 0;
  for await (const entries of publishedEntries(files, head.size, checkpoint.size)) {
    await adopt(
      db,
      entries.map((entry) => Buffer.from(entry).toString('utf8')),
      now(),
    );
    count += entries.length;
  }
  return count;
}
