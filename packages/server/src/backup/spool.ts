// A temporary file for what a backup or a restore needs later, so that it takes no memory.
import { createReadStream } from 'node:fs';
import { appendFile, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folderPrefix = 'colophon-backup-';
/** Longer than a backup takes. */
const leftMs = 7 * 24 * 60 * 60_000;

export interface Spool extends AsyncDisposable {
  /** Readable by this user only. */
  readonly file: string;
  add(bytes: Uint8Array): Promise<void>;
  lines(): AsyncIterable<string>;
}

/** Removes the files that killed backups of this user left. */
async function sweepSpools(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    const isOurs = found?.isDirectory() === true && found.uid === process.geteuid?.();
    if (isOurs && found.mtimeMs < Date.now() - leftMs)
      await rm(folder, { recursive: true, force: true });
  }
}

/** Opens an empty file, which is removed at the end. */
export async function openSpool(): Promise<Spool> {
  await sweepSpools();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  const file = join(folder, 'lines');
  await appendFile(file, '', { mode: 0o600 });
  return {
    file,
    add: (bytes) => appendFile(file, bytes),
    lines: () => createInterface({ input: createReadStream(file), crlfDelay: Infinity }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
