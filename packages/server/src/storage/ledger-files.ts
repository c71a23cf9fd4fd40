// Where the ledger of erasures is stored: small files that are replaced as a whole, beside media and backups.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { S3Location } from './s3-store.ts';
import { unlessAbsent, writeWhole } from './whole-files.ts';

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
    write: (name, bytes) => writeWhole(fileOf(name), bytes),
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
