// Where backups are stored: a folder, or a store that supports S3. A name is that of a complete backup, never of a part of one.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolders } from '#runtime';
import type { S3Location } from './s3-store.ts';

export interface StoredBackup {
  readonly name: string;
  readonly size: number;
}

export interface BackupFiles extends AsyncDisposable {
  /** Stores the bytes durably; returns their number. If `chunks` throws, throws the same and stores nothing. */
  put(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Returns the bytes; undefined if the name does not exist. */
  open(name: string): Promise<Readable | undefined>;
  list(): Promise<readonly StoredBackup[]>;
  delete(name: string): Promise<void>;
  /** Removes what backups left behind that were interrupted before this time. */
  sweep(before: Date): Promise<void>;
}

/** The folder or the S3 store of BACKUP_TO. */
export type BackupLocation = { readonly folder: string } | S3Location;

const partial = /\.[0-9a-f]{12}\.partial$/;

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @throws Error in a sentence for the operator: something else has that name, or this user may not create it */
async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `The folder of backups ${folder} cannot be created (${code}): name a folder that this user can write, for scheduled backups in BACKUP_TO.`,
      { cause },
    );
  }
}

/** @throws Error in a sentence for the operator: the disk is full; or the error itself */
function refuseFull(cause: NodeJS.ErrnoException, folder: string): never {
  const { code = '' } = cause;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
  throw new Error(
    `There is no space left for the backup in ${folder} (${code}): free space there, or name another folder, for scheduled backups in BACKUP_TO.`,
    { cause },
  );
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at);
    at += bytesWritten;
  }
}

/** Writes a new file that only its owner can read, and flushes it. */
async function writeNew(file: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const refuse = (error: Error) => refuseFull(error, path.dirname(file));
  const handle = await open(file, 'wx', 0o600).catch(refuse);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      await writeAll(handle, chunk).catch(refuse);
      size += chunk.length;
    }
    await handle.sync().catch(refuse);
    return size;
  } finally {
    await handle.close();
  }
}

/**
 * Gives a finished draft its name, which no file may have yet.
 * @throws Error in a sentence for the operator: a file with this name exists
 */
async function nameNew(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Error(`${file} exists: name another file, or delete it.`);
    // A file system without links, such as one of a memory card or a share.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error;
    await rename(draft, file);
  }
}

/** The size of a file; undefined if there is none, or something else has that name. */
async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.isFile() === true ? found.size : undefined;
}

function openFolder(folder: string): BackupFiles {
  const fileOf = (name: string) => path.join(folder, path.basename(name));
  return {
    put: async (name, chunks) => {
      await makeFolder(folder);
      const draft = `${fileOf(name)}.${randomBytes(6).toString('hex')}.partial`;
      try {
        const size = await writeNew(draft, chunks);
        await nameNew(draft, fileOf(name));
        await flushFolder(folder);
        return size;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    open: async (name) => {
      const found = await stat(fileOf(name)).catch(() => undefined);
      return found?.isFile() === true
        ? createReadStream(fileOf(name), { highWaterMark: 1024 * 1024 })
        : undefined;
    },
    list: async () => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const found = names
        .filter((name) => !partial.test(name))
        .map(async (name) => ({ name, size: await sizeOf(fileOf(name)) }));
      return (await Promise.all(found)).flatMap(({ name, size }) =>
        size === undefined ? [] : [{ name, size }],
      );
    },
    delete: (name) => rm(fileOf(name), { force: true }),
    sweep: async (before) => {
      for (const name of (await readdir(folder).catch(() => [])).filter((one) => partial.test(one)))
        if ((await stat(fileOf(name))).mtime < before) await rm(fileOf(name), { force: true });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Opens the place where backups are stored. It is not contacted before it is used. */
export async function openBackupFiles(place: BackupLocation): Promise<BackupFiles> {
  if ('folder' in place) return openFolder(place.folder);
  // The S3 client is large, and a folder does not need it.
  const { openS3Backups } = await import('./s3-backups.ts');
  return openS3Backups(place);
}
