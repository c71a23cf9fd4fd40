// Where the ledger of erasures is stored: small files that are replaced as a whole, beside media and backups.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { S3Location } from './s3-store.ts';

export interface LedgerFile {
  readonly name: string;
  readonly size: number;
}

export interface LedgerFiles extends AsyncDisposable {
  list(): Promise<readonly LedgerFile[]>;
  /** Returns the bytes; undefined if the name does not exist. */
  read(name: string): Promise<Buffer | undefined>;
  /** Stores the bytes durably before it resolves. An older file of that name is replaced at once or not at all. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** The folder in a media store or in BACKUP_TO, and the prefix in a bucket. */
export const ledgerFolder = 'erasures';

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
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
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let at = folder; at.length >= made.length; at = path.dirname(at))
    await flush(path.dirname(at));
}

function openFolder(folder: string): LedgerFiles {
  const fileOf = (name: string) => path.join(folder, path.basename(name));
  return {
    list: async () => {
      const names = (await unlessAbsent(readdir(folder))) ?? [];
      const found = names
        .filter((name) => name.endsWith('.log'))
        .map(async (name) => ({ name, size: (await stat(fileOf(name))).size }));
      return Promise.all(found);
    },
    read: (name) => unlessAbsent(readFile(fileOf(name))),
    write: async (name, bytes) => {
      await makeFolder(folder);
      const draft = `${fileOf(name)}.${randomBytes(6).toString('hex')}`;
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, fileOf(name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await flush(folder);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Opens the ledger's files in the place of MEDIA_STORE or BACKUP_TO. It is not contacted before it is used. */
export async function openLedgerFiles(
  place: { readonly folder: string } | S3Location,
): Promise<LedgerFiles> {
  if ('folder' in place) return openFolder(path.join(place.folder, ledgerFolder));
  // The S3 client is large, and a folder does not need it.
  const { openS3Ledger } = await import('./s3-ledger.ts');
  return openS3Ledger(place);
}
