// Verifies the stored log: every leaf against the tree, the tree against its files, and both against the checkpoint.
import {
  checkNote,
  createFrontier,
  entriesPath,
  equalBytes,
  fullTileHash,
  leafHash,
  packEntries,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  tilePath,
  tilesOf,
  tileWidth,
} from '@colophon/tlog';
import type { Checkpoint, Frontier, Note, Tile } from '@colophon/tlog';
import type { Db } from '#database';
import { verifySignature } from '#lib/ed25519';
import { sha256 } from '#lib/sha256';
import type { LogFiles } from '#storage';
import { findHead, listEntries, listLogKeys, listTiles } from '../queries/index.ts';
import type { Head } from '../queries/index.ts';
import { silentKeys } from '../rules/signing-keys.ts';
import { cut } from './tiles.ts';

const hashBytes = 32;
/** More faults than this say nothing more. */
const faultsMax = 20;

export interface Verified {
  readonly size: number;
  /** In sentences; none: the log is whole. */
  readonly faults: readonly string[];
}

interface Verification {
  readonly db: Db;
  readonly files: LogFiles;
  readonly faults: string[];
}

async function storedTile(db: Db, { level, index, width }: Tile): Promise<Uint8Array> {
  const [stored] = await listTiles(db, [{ level, index }]);
  return cut(stored?.hashes ?? Buffer.alloc(0), width);
}

/** Compares a file with what it must contain. Partial tiles before the last one need not be stored. */
async function verifyFile(
  { files, faults }: Verification,
  path: string,
  expected: Uint8Array,
): Promise<void> {
  const found = await files.read(path);
  if (found === undefined) faults.push(`The file ${path} is missing.`);
  else if (!equalBytes(found, expected))
    faults.push(`The file ${path} has other bytes than the database.`);
}

async function verifyLeaves(run: Verification, tile: Tile, frontier: Frontier): Promise<void> {
  const { index, width } = tile;
  const first = index * tileWidth;
  const entries = (await listEntries(run.db, first, first + width)).map((one) => Buffer.from(one));
  const hashes = await storedTile(run.db, tile);
  for (let at = 0; at < width; at += 1) {
    const [entry, hash] = [entries[at], hashes.subarray(at * hashBytes, (at + 1) * hashBytes)];
    if (entry === undefined || !equalBytes(leafHash(sha256, entry), hash))
      run.faults.push(`Leaf ${first + at} is not the one whose hash is in the tree.`);
    frontier.add(entry === undefined ? Buffer.from(hash) : leafHash(sha256, entry));
  }
  await verifyFile(run, entriesPath(index, width), packEntries(entries));
}

/** Compares the hashes of a higher tile with the full tiles below it. */
async function verifyNodes(run: Verification, tile: Tile): Promise<void> {
  const { level, index, width } = tile;
  const hashes = await storedTile(run.db, tile);
  for (let at = 0; at < width; at += 1) {
    const below = { level: level - 1, index: index * tileWidth + at, width: tileWidth };
    const full = await storedTile(run.db, below);
    const isFull = full.length === tileWidth * hashBytes;
    const hash = hashes.subarray(at * hashBytes, (at + 1) * hashBytes);
    if (!isFull || !equalBytes(fullTileHash(sha256, full), hash))
      run.faults.push(`Tile ${below.index} of level ${below.level} is not the one in the tree.`);
  }
}

async function isSigned(db: Db, note: Note): Promise<boolean> {
  const keys = (await listLogKeys(db)).flatMap(
    ({ verifier_key }) => parseVerifierKey(sha256, verifier_key) ?? [],
  );
  const { verified, forged } = await checkNote(note, keys, verifySignature);
  return forged === null && verified.length > 0;
}

function isOf({ size, root }: Checkpoint, head: Head): boolean {
  return size === head.published_size && Buffer.from(root).toString('hex') === head.published_root;
}

async function verifyCheckpoint({ db, files, faults }: Verification, head: Head): Promise<void> {
  const text = (await files.read('checkpoint'))?.toString('utf8') ?? '';
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note?.text ?? '');
  if (note === undefined || checkpoint === undefined) {
    faults.push('The published checkpoint is missing or damaged.');
    return;
  }
  if (!(await isSigned(db, note)))
    faults.push('No key of the log verifies the published checkpoint.');
  // Without a time it is signed again within seconds, by every key.
  if (head.published_at !== null) faults.push(...silentKeys(await listLogKeys(db), text));
  if (!isOf(checkpoint, head)) faults.push('The published checkpoint is not that of the database.');
}

/** Reads the whole published log. `onProgress` gets the number of leaves that are verified. */
export async function verifyLog(
  db: Db,
  files: LogFiles,
  onProgress: (leaves: number) => void = () => undefined,
): Promise<Verified> {
  const head = await findHead(db);
  if (head === undefined) return { size: 0, faults: ['The log has not been started.'] };
  const run: Verification = { db, files, faults: [] };
  const frontier = createFrontier(sha256);
  for (const tile of tilesOf(head.published_size)) {
    if (run.faults.length > faultsMax) break;
    if (tile.level === 0) await verifyLeaves(run, tile, frontier);
    else await verifyNodes(run, tile);
    await verifyFile(run, tilePath(tile.level, tile.index, tile.width), await storedTile(db, tile));
    if (tile.level === 0) onProgress(tile.index * tileWidth + tile.width);
  }
  if (
    run.faults.length === 0 &&
    Buffer.from(frontier.root()).toString('hex') !== head.published_root
  )
    run.faults.push('The leaves do not have the published root.');
  await verifyCheckpoint(run, head);
  return { size: head.published_size, faults: run.faults.slice(0, faultsMax) };
}
