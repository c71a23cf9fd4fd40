// A temporary file for what a backup or a restore needs later, so that it takes no memory.
import { createReadStream } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporary, sweepTemporary } from '#runtime';

export interface Spool extends AsyncDisposable {
  /** Readable by this user only. */
  readonly file: string;
  add(bytes: Uint8Array): Promise<void>;
  lines(): AsyncIterable<string>;
}

/** Opens an empty file, which is removed at the end. */
export async function openSpool(): Promise<Spool> {
  // A restore opens no services before it, which would do the same.
  await sweepTemporary();
  const folder = await makeTemporary('backup');
  const file = join(folder, 'lines');
  await appendFile(file, '', { mode: 0o600 });
  return {
    file,
    add: (bytes) => appendFile(file, bytes),
    lines: () => createInterface({ input: createReadStream(file), crlfDelay: Infinity }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
