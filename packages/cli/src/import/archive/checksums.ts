// Compares every file of an export with checksums.txt and the manifest.
import { createHash } from 'node:crypto';
import { damage, refusal } from '../source.ts';
import { quoteName } from './zip.ts';
import type { Zip } from './zip.ts';

const listName = 'checksums.txt';
const manifestName = 'manifest.json';
const listMax = 256 * 1024 * 1024;

function damageError(name: string): Error {
  return damage(
    `The archive is damaged or was changed: ${quoteName(name)} does not match its checksum. Create the export again.`,
  );
}

/** Returns the hash of each file, by its name. */
function readLines(list: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const line of list.split('\n')) {
    if (line === '') continue;
    const [, hash, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (hash === undefined || name === undefined || hashes.has(name))
      throw refusal(`The archive is refused: ${listName} has a wrong line: ${quoteName(line)}.`);
    hashes.set(name, hash);
  }
  return hashes;
}

/** Requires that the list names exactly the files of the archive. */
function requireComplete(zip: Zip, hashes: ReadonlyMap<string, string>): void {
  for (const name of hashes.keys()) {
    if (!zip.has(name))
      throw damage(
        `The archive is not complete: ${quoteName(name)} is missing. Create the export again.`,
      );
  }
  const extra = zip.names.find(
    (name) => !hashes.has(name) && name !== listName && name !== manifestName,
  );
  if (extra !== undefined)
    throw refusal(`The archive was changed: ${listName} does not list ${quoteName(extra)}.`);
}

export interface Checking {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * Reads the whole archive once. `listHash` is the hash of checksums.txt that the manifest names.
 *
 * @returns the hash of each file
 * @throws a refusal: before anything is written
 */
export async function requireChecksums(
  zip: Zip,
  listHash: string,
  { signal, onProgress }: Checking,
): Promise<ReadonlyMap<string, string>> {
  const list = await zip.read(listName, listMax);
  if (createHash('sha256').update(list).digest('hex') !== listHash) throw damageError(listName);
  const hashes = readLines(list.toString());
  requireComplete(zip, hashes);
  const total = [...hashes.keys()].reduce((sum, name) => sum + zip.sizeOf(name), 0);
  let done = 0;
  for (const [name, hash] of hashes) {
    signal?.throwIfAborted();
    if ((await zip.sha256(name)) !== hash) throw damageError(name);
    done += zip.sizeOf(name);
    onProgress?.(done, total);
  }
  return hashes;
}
