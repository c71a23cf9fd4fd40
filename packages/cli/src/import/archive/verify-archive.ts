// Verifies every file of an export that was downloaded.
import { parseJson } from '../json.ts';
import { damage } from '../source.ts';
import { requireChecksums } from './checksums.ts';
import type { Checking } from './checksums.ts';
import { readManifest } from './records.ts';
import type { Manifest } from './records.ts';
import { openZip } from './zip.ts';
import type { Zip } from './zip.ts';

const manifestMax = 1024 * 1024;

/** Returns the manifest of an export. @throws a refusal for any other archive */
export async function manifestOf(zip: Zip): Promise<Manifest> {
  const name = 'manifest.json';
  if (!zip.has(name)) throw damage(`This is not an export of Colophon: it contains no ${name}.`);
  const text = (await zip.read(name, manifestMax)).toString();
  return readManifest(parseJson(text, name));
}

/**
 * Reads the whole archive. `listHash` is the hash of checksums.txt that the service names.
 *
 * @throws a refusal for an archive that is damaged, or that is another one
 */
export async function verifyArchive(
  file: string,
  listHash: string | null,
  checking: Checking = {},
): Promise<void> {
  await using zip = await openZip(file);
  const { checksumsSha256 } = await manifestOf(zip);
  if (listHash !== null && checksumsSha256 !== listHash)
    throw damage('The archive is not the one that the service announced. Download it again.');
  await requireChecksums(zip, checksumsSha256, checking);
}
