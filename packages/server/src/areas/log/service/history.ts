// The last published checkpoint, which lies outside of the database, and whether the database continues it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashesNeededForRoot, parseCheckpoint, parseNote, rootOf } from '@colophon/tlog';
import type { Checkpoint } from '@colophon/tlog';
import type { Config } from '#config';
import type { Db } from '#database';
import { sha256 } from '#lib/sha256';
import { writeWhole } from '#storage';
import type { LogFiles } from '#storage';
import type { Head } from '../queries/index.ts';
import { loadHashes } from './tiles.ts';

function recordFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'log', 'checkpoint');
}

/** Stores a checkpoint in DATA_DIR before it is published. */
export async function recordCheckpoint(
  config: Pick<Config, 'dataDir'>,
  note: string,
): Promise<void> {
  await writeWhole(recordFile(config), Buffer.from(note));
}

function checkpointOf(note: Buffer | undefined, where: string): Checkpoint | undefined {
  if (note === undefined) return undefined;
  const checkpoint = parseCheckpoint(parseNote(note.toString('utf8'))?.text ?? '');
  if (checkpoint === undefined)
    throw new Error(`${where} is not a checkpoint: it is damaged. Put a copy of it there.`);
  return checkpoint;
}

/** What was published last, as far as anything outside of the database says. */
export interface LastPublished {
  /** undefined: nothing was. */
  readonly checkpoint: Checkpoint | undefined;
  /** The size of the one in the store. A store that was replaced has none, nor has it tiles. */
  readonly storedSize: number | undefined;
}

/** Returns the largest checkpoint that was published from here or into this store. */
export async function findLastPublished(
  config: Pick<Config, 'dataDir'>,
  files: LogFiles,
): Promise<LastPublished> {
  const file = recordFile(config);
  const own = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const stored = checkpointOf(await files.read('checkpoint'), 'log/checkpoint in the media store');
  const found = [checkpointOf(own, file), stored].filter((one) => one !== undefined);
  const [checkpoint] = found.toSorted((one, other) => other.size - one.size);
  return { checkpoint, storedSize: stored?.size };
}

/** Returns the root of the stored tree as it was when it had `size` leaves, in hexadecimal digits. */
export async function rootAt(db: Db, size: number): Promise<string> {
  const readHash = await loadHashes(db, size, hashesNeededForRoot(size));
  return Buffer.from(rootOf(sha256, size, readHash)).toString('hex');
}

/**
 * Returns why nothing may be signed: the database does not contain the tree that was published. Undefined if it
 * does.
 */
export async function refusalOf(
  db: Db,
  head: Head,
  published: Checkpoint | undefined,
): Promise<string | undefined> {
  // Any tree continues the empty one.
  if (published === undefined || published.size === 0) return undefined;
  const { origin, size, root } = published;
  if (origin !== head.origin)
    return `The published checkpoint is of ${origin}, and the database of ${head.origin}: the media store or DATA_DIR belongs to another service.`;
  if (size > head.size)
    return `A tree of ${size} leaves was published, and the database has ${head.size}: it was restored from an older state. Run npm run admin -- log recover to take over the published leaves, or restore a newer backup.`;
  const hex = Buffer.from(root).toString('hex');
  if (size === head.published_size && hex === head.published_root) return undefined;
  if ((await rootAt(db, size)) === hex) return undefined;
  return `The tree of the database has other leaves than the published one of ${size} leaves: it was changed, or another database was put in its place. Restore the database that was published.`;
}
