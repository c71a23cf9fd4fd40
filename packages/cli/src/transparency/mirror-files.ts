// The files of a mirror: stored whole, fetched from the log, compared with what they must be.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogClient } from '@colophon/sdk';
import {
  entriesPath,
  equalBytes,
  hashLength,
  maxEntryLength,
  tilePath,
  tileWidth,
  unpackEntries,
} from '@colophon/tlog';
import type { Tile } from '@colophon/tlog';
import { cannotWrite } from '../files.ts';
import { makeFolders } from '../make-folders.ts';
import type { Findings } from './findings.ts';
import { leafHashes } from './sha256.ts';

/** Stores a file whole or not at all. */
export async function storeFile(
  folder: string,
  path: string,
  bytes: Uint8Array | string,
): Promise<void> {
  const file = join(folder, path);
  await makeFolders(dirname(file));
  const part = `${file}.part`;
  try {
    await writeFile(part, bytes);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw cannotWrite(file, error);
  }
}

/** Returns a file of the mirror; undefined if it does not exist. */
export async function loadFile(folder: string, path: string): Promise<Buffer | undefined> {
  return readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

/** Removes a file of the mirror, if it exists. */
export async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
}

/** 256 entries, or at the end of the log fewer, with their hashes one after the other. */
export interface Bundle {
  readonly entries: readonly Uint8Array[];
  readonly hashes: Buffer;
}

/** The index of a bundle, and how many entries of it belong to the tree. */
export interface BundleKey {
  readonly index: number;
  readonly width: number;
}

export interface Mirror {
  readonly folder: string;
  readonly client: LogClient;
  readonly findings: Findings;
  /** Ends what is being fetched. */
  readonly ending?: AbortSignal | undefined;
}

const longestBundle = tileWidth * (maxEntryLength + 2);

function bundleOf(bytes: Uint8Array | undefined, width: number): Bundle | undefined {
  const entries = bytes === undefined ? undefined : unpackEntries(bytes)?.slice(0, width);
  if (entries?.length !== width) return undefined;
  return { entries, hashes: leafHashes(entries) };
}

/**
 * Returns a bundle of the mirror; undefined if it is not there, or not what was stored: a damaged file is
 * fetched again.
 */
export async function loadBundle(
  { folder }: Mirror,
  { index, width }: BundleKey,
): Promise<Bundle | undefined> {
  const [bytes, tile] = await Promise.all([
    loadFile(folder, entriesPath(index, width)),
    loadFile(folder, tilePath(0, index, width)),
  ]);
  const bundle = bundleOf(bytes, width);
  return tile !== undefined && bundle?.hashes.equals(tile) ? bundle : undefined;
}

/** A file of the log, or the full one that took the place of a partial one. */
async function fetchFile({ client, ending }: Mirror, path: string, maxBytes: number) {
  const full = path.replace(/\.p\/\d+$/, '');
  const bytes = await client.readFile(path, maxBytes, ending);
  return bytes ?? (full === path ? undefined : client.readFile(full, maxBytes, ending));
}

/** Returns the position of the first hash that differs; undefined if all are the same. */
function firstDifference(own: Uint8Array, other: Uint8Array): number | undefined {
  for (let at = 0; at * hashLength < own.length; at += 1) {
    const [start, end] = [at * hashLength, (at + 1) * hashLength];
    if (!equalBytes(own.subarray(start, end), other.subarray(start, end))) return at;
  }
  return undefined;
}

/**
 * Compares the tile that the log serves with the one that its entries have, and adds what differs to the
 * findings. Returns whether they are the same.
 */
export async function compareTile(mirror: Mirror, tile: Tile, own: Uint8Array): Promise<boolean> {
  const { level, index, width } = tile;
  const path = tilePath(level, index, width);
  const bytes = await fetchFile(mirror, path, tileWidth * hashLength);
  const leafAt = (at: number) => (index * tileWidth + at) * tileWidth ** level;
  const add = (kind: 'missing' | 'cut' | 'different', at: number, detail: string) => {
    mirror.findings.add({ kind, leaf: leafAt(at), path, detail });
    return false;
  };
  if (bytes === undefined) return add('missing', 0, `${path} does not exist.`);
  if (bytes.length < own.length || bytes.length % hashLength !== 0)
    return add('cut', Math.floor(bytes.length / hashLength), `${path} is cut short.`);
  const at = firstDifference(own, bytes);
  if (at === undefined) return true;
  return add(
    'different',
    at,
    `${path} has another hash for leaf ${leafAt(at)} than its entry has.`,
  );
}

/** Fetches a bundle and compares it with its tile. Undefined if it is missing or cut: that is a finding. */
export async function fetchBundle(mirror: Mirror, place: BundleKey): Promise<Bundle | undefined> {
  const path = entriesPath(place.index, place.width);
  const bytes = await fetchFile(mirror, path, longestBundle);
  const bundle = bundleOf(bytes, place.width);
  if (bundle === undefined) {
    const [kind, what] =
      bytes === undefined
        ? (['missing', 'does not exist'] as const)
        : (['cut', 'is cut short'] as const);
    const leaf = place.index * tileWidth;
    mirror.findings.add({ kind, leaf, path, detail: `${path} ${what}.` });
    return undefined;
  }
  await compareTile(mirror, { level: 0, ...place }, bundle.hashes);
  return bundle;
}
