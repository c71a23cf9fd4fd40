// Copies a log into a folder, in the layout in which it is served, and computes every hash of it again.
import type { SignedCheckpoint } from '@colophon/sdk';
import {
  createFrontier,
  entriesPath,
  equalBytes,
  hashLength,
  packEntries,
  parseCheckpoint,
  parseNote,
  tilePath,
  tileHeight,
  tilesOf,
  tileWidth,
  tileWidthAt,
} from '@colophon/tlog';
import type { Checkpoint, Frontier, Tile } from '@colophon/tlog';
import {
  compareTile,
  fetchBundle,
  loadBundle,
  loadFile,
  removeFile,
  storeFile,
} from './mirror-files.ts';
import type { Bundle, Mirror } from './mirror-files.ts';
import { fullTileHash, sha256 } from './sha256.ts';

export interface MirrorWalk {
  readonly signal: AbortSignal;
  readonly onLeaf: (index: number, entry: Uint8Array) => void;
  readonly onProgress: (leaves: number) => void;
}

interface Found extends Bundle {
  readonly index: number;
  readonly isNew: boolean;
}

/** How many bundles are read before they are needed. */
const ahead = 16;

async function findBundle(mirror: Mirror, index: number, size: number): Promise<Found | undefined> {
  const place = { index, width: tileWidthAt(0, index, size) };
  const own = await loadBundle(mirror, place);
  if (own !== undefined) return { ...own, index, isNew: false };
  const bundle = await fetchBundle(mirror, place);
  if (bundle === undefined) return undefined;
  // The tile last: a bundle without it is fetched again.
  await storeFile(mirror.folder, entriesPath(index, place.width), packEntries(bundle.entries));
  await storeFile(mirror.folder, tilePath(0, index, place.width), bundle.hashes);
  return { ...bundle, index, isNew: true };
}

/** The bundles in their order; it ends before one that the log does not have. */
async function* bundlesOf(mirror: Mirror, size: number): AsyncGenerator<Found, void, undefined> {
  const waiting: Promise<Found | undefined>[] = [];
  for (let next = 0, index = 0; index * tileWidth < size; index += 1) {
    for (; next * tileWidth < size && next < index + ahead; next += 1) {
      const bundle = findBundle(mirror, next, size);
      // It may fail before its turn.
      bundle.catch(() => {});
      waiting.push(bundle);
    }
    const bundle = await waiting.shift();
    if (bundle === undefined) return;
    yield bundle;
  }
}

/** The same; what was requested early is not asked for any more once a bundle has failed for good. */
async function* allBundles(mirror: Mirror, size: number): AsyncGenerator<Found, void, undefined> {
  const leaving = new AbortController();
  try {
    yield* bundlesOf({ ...mirror, ending: leaving.signal }, size);
  } finally {
    leaving.abort();
  }
}

/** The tiles above level 0, which grow from the full tiles below. */
function upperTiles(store: (tile: Tile, bytes: Uint8Array, isNew: boolean) => Promise<void>) {
  const levels: { hashes: Uint8Array[]; index: number; isNew: boolean }[] = [];
  const add = async (level: number, hash: Uint8Array, isNew: boolean): Promise<void> => {
    const at = (levels[level] ??= { hashes: [], index: 0, isNew: false });
    at.hashes.push(hash);
    at.isNew ||= isNew;
    if (at.hashes.length < tileWidth) return;
    const bytes = Buffer.concat(at.hashes);
    await store({ level, index: at.index, width: tileWidth }, bytes, at.isNew);
    levels[level] = { hashes: [], index: at.index + 1, isNew: false };
    await add(level + 1, fullTileHash(bytes), isNew);
  };
  const end = async () => {
    for (const [level, at] of levels.entries())
      if (at !== undefined && at.hashes.length > 0)
        await store(
          { level, index: at.index, width: at.hashes.length },
          Buffer.concat(at.hashes),
          true,
        );
  };
  return { add, end };
}

/** Returns the checkpoint of the mirror: the newest that was wholly verified. */
export async function mirroredCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  const note = await loadFile(folder, 'checkpoint');
  return note === undefined ? undefined : parseCheckpoint(parseNote(note.toString())?.text ?? '');
}

/** The root that the mirror had at its own checkpoint must come up on the way. */
function compareEarlier(mirror: Mirror, before: Checkpoint, frontier: Frontier): void {
  if (frontier.size() !== before.size || equalBytes(frontier.root(), before.root)) return;
  mirror.findings.add({
    kind: 'forked',
    leaf: null,
    detail: `The first ${before.size} leaves do not have the root that this mirror had.`,
  });
}

interface Growing {
  readonly mirror: Mirror;
  readonly frontier: Frontier;
  readonly before: Checkpoint | undefined;
}

/** Adds the leaves of a bundle to the tree: a full one at once, unless the mirror's checkpoint is within. */
function addLeaves(
  { mirror, frontier, before }: Growing,
  hashes: Uint8Array,
  full?: Uint8Array,
): void {
  const start = frontier.size();
  const isWithin = before !== undefined && before.size > start && before.size < start + tileWidth;
  if (full !== undefined && !isWithin) {
    frontier.add(full, tileHeight);
    if (before !== undefined) compareEarlier(mirror, before, frontier);
    return;
  }
  for (let at = 0; at < hashes.length; at += hashLength) {
    frontier.add(hashes.subarray(at, at + hashLength));
    if (before !== undefined) compareEarlier(mirror, before, frontier);
  }
}

/**
 * The files do not have the root of the checkpoint. Compares all tiles of level 0 that the log serves with the
 * entries of the mirror, to name the leaves.
 */
async function nameDifferences(mirror: Mirror, size: number, verified: number): Promise<void> {
  const { folder } = mirror;
  const before = mirror.findings.count();
  for (let index = 0; index * tileWidth < size; index += 1) {
    const width = tileWidthAt(0, index, size);
    const path = tilePath(0, index, width);
    const own = await loadFile(folder, path);
    if (own === undefined || (await compareTile(mirror, { level: 0, index, width }, own))) continue;
    // What was never part of a verified tree is fetched again by the next audit.
    if (index * tileWidth + width > verified) await removeFile(folder, path);
  }
  if (mirror.findings.count() === before)
    mirror.findings.add({
      kind: 'root',
      leaf: null,
      path: 'checkpoint',
      detail: `The ${size} entries do not have the root of the checkpoint.`,
    });
}

/** Removes partial tiles that were replaced by longer ones. */
async function removeReplaced({ folder }: Mirror, before: Checkpoint, size: number): Promise<void> {
  for (const { level, index, width } of tilesOf(before.size)) {
    if (width === tileWidth || tileWidthAt(level, index, size) === width) continue;
    await removeFile(folder, tilePath(level, index, width));
    if (level === 0) await removeFile(folder, entriesPath(index, width));
  }
}

/** A mirror that is ahead of a checkpoint: somebody is shown an older one. */
function isOlder(mirror: Mirror, before: Checkpoint | undefined, size: number): boolean {
  if (before === undefined || before.size <= size) return false;
  const detail = `The checkpoint has ${size} leaves; this mirror has verified ${before.size}.`;
  mirror.findings.add({ kind: 'older', leaf: size, path: 'checkpoint', detail });
  return true;
}

/** Walks all bundles, which are stored on the way. Returns the tree that they make. */
async function walkBundles(
  mirror: Mirror,
  { size, before }: { readonly size: number; readonly before: Checkpoint | undefined },
  { signal, onLeaf, onProgress }: MirrorWalk,
): Promise<Frontier> {
  const frontier = createFrontier(sha256);
  const upper = upperTiles(async (tile, bytes, isNew) => {
    if (!isNew) return;
    const { level, index, width } = { ...tile, level: tile.level + 1 };
    await compareTile(mirror, { level, index, width }, bytes);
    await storeFile(mirror.folder, tilePath(level, index, width), bytes);
  });
  for await (const { index, entries, hashes, isNew } of allBundles(mirror, size)) {
    signal.throwIfAborted();
    const full = entries.length === tileWidth ? fullTileHash(hashes) : undefined;
    addLeaves({ mirror, frontier, before }, hashes, full);
    for (const [at, entry] of entries.entries()) onLeaf(index * tileWidth + at, entry);
    if (full !== undefined) await upper.add(0, full, isNew);
    onProgress(frontier.size());
  }
  await upper.end();
  return frontier;
}

/**
 * Brings a mirror up to a checkpoint. What it has is read again from the disk, and the rest is fetched. Every
 * hash is computed from the entries and compared with the tiles that the log serves, and the root with the
 * checkpoint, which is stored last. It may be interrupted at any time and run again.
 *
 * Returns whether the mirror has the tree of the checkpoint; the findings say why not.
 */
export async function mirrorLog(
  mirror: Mirror,
  { size, root, note }: SignedCheckpoint,
  walk: MirrorWalk,
): Promise<boolean> {
  const before = await mirroredCheckpoint(mirror.folder);
  if (isOlder(mirror, before, size)) return false;
  const frontier = await walkBundles(mirror, { size, before }, walk);
  if (frontier.size() !== size) return false;
  if (!equalBytes(frontier.root(), root)) {
    await nameDifferences(mirror, size, before?.size ?? 0);
    return false;
  }
  await storeFile(mirror.folder, 'checkpoint', note);
  if (before !== undefined) await removeReplaced(mirror, before, size);
  return true;
}
