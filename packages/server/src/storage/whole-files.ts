// Small files that are replaced as a whole: an older file stays until the new one is durable.
import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '#runtime';

/** Returns undefined if there is no file or folder. */
export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates the folder. A new folder is a new name in its parent, and must survive a power failure too. */
async function makeFolder(folder: string): Promise<void> {
  const made = await makeFolders(folder, 0o700);
  if (made === undefined) return;
  for (let at = folder; at.length >= made.length; at = path.dirname(at))
    await flush(path.dirname(at));
}

/** Writes the bytes durably beside the file, then has `place` give them its name. */
async function writeBeside(
  file: string,
  bytes: Uint8Array,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await flush(folder);
}

/** Writes a file durably, readable by the service only. An older one is replaced at once or not at all. */
export async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await writeBeside(file, bytes, (draft) => rename(draft, file));
}

/** The same, but never over an older file: the error then has the code `EEXIST`. */
export async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  await writeBeside(file, bytes, async (draft) => {
    // A rename would replace a file that another process made meanwhile.
    await link(draft, file);
    await rm(draft);
  });
}
