// Where the transparency log is stored as files, below `log/` of the media store: a mirror is a copy of them.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { S3Location } from './s3-store.ts';
import { unlessAbsent, writeWhole } from './whole-files.ts';

export interface LogFiles extends AsyncDisposable {
  /** Returns the bytes; undefined if the path does not exist. */
  read(path: string): Promise<Buffer | undefined>;
  /** Stores the bytes durably before it resolves. An older file is replaced at once or not at all. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Deletes the partial states of a tile, given the path of the full one. */
  deletePartials(path: string): Promise<void>;
}

/** The folder in a media store, and the prefix in a bucket. */
export const logFolder = 'log';

const pathForm = /^(?:checkpoint|tile\/(?:entries|\d{1,2})\/(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?)$/;

/** @throws RangeError for a path that no log has: nothing outside of the folder is reached */
export function requireLogPath(name: string): string {
  if (!pathForm.test(name)) throw new RangeError(`A log has no file ${name}.`);
  return name;
}

function openFolder(folder: string): LogFiles {
  const fileOf = (name: string) => path.join(folder, ...requireLogPath(name).split('/'));
  return {
    read: (name) => unlessAbsent(readFile(fileOf(name))),
    write: (name, bytes) => writeWhole(fileOf(name), bytes),
    deletePartials: (name) => rm(`${fileOf(name)}.p`, { recursive: true, force: true }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Opens the files of the log in the place of MEDIA_STORE. It is not contacted before it is used. */
export async function openLogFiles(
  place: { readonly folder: string } | S3Location,
): Promise<LogFiles> {
  if ('folder' in place) return openFolder(path.join(place.folder, logFolder));
  // The S3 client is large, and a folder does not need it.
  const { openS3Log } = await import('./s3-log.ts');
  return openS3Log(place);
}
